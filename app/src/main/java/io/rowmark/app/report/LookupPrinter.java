package io.rowmark.app.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rowmark.app.engine.KeyPlaces;
import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.lookup.IndexEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where a key is, for people and for programs. */
public final class LookupPrinter {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private LookupPrinter() {}

  public static String text(KeyPlaces found) {
    String places =
        found.entries().isEmpty()
            ? "Index %s has no entry for this key.".formatted(found.index())
            : found.entries().stream()
                .map(entry -> line(found, entry))
                .collect(Collectors.joining(System.lineSeparator()));
    return found.behind() == null
        ? places
        : places
            + System.lineSeparator()
            + "The index is behind table %s: %s. The row may have moved; 'rowmark index reconcile' catches up."
                .formatted(found.table(), found.behind());
  }

  private static String line(KeyPlaces found, IndexEntry entry) {
    StringBuilder line = new StringBuilder();
    if (entry.dataFile() == null) {
      line.append("Index %s: the key was deleted".formatted(found.index()));
    } else {
      line.append(
          "Index %s: position %d of %s"
              .formatted(found.index(), entry.position(), entry.dataFile()));
    }
    if (entry.rowId() != null) {
      line.append(", row id ").append(entry.rowId());
    }
    String order = order(entry);
    if (order != null) {
      line.append(", order of the last change ").append(order);
    }
    return line.toString();
  }

  private static @Nullable String order(IndexEntry entry) {
    byte[] order = entry.changeOrder();
    return order == null ? null : ChangeOrder.describe(order);
  }

  public static String json(KeyPlaces found) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", found.table());
    fields.put("index", found.index());
    fields.put("behind", found.behind());
    List<Map<String, @Nullable Object>> entries =
        found.entries().stream().map(LookupPrinter::entry).toList();
    fields.put("entries", entries);
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw RowmarkException.internal("The answer cannot be written as JSON", e);
    }
  }

  private static Map<String, @Nullable Object> entry(IndexEntry entry) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("deleted", entry.dataFile() == null);
    fields.put("dataFile", entry.dataFile());
    fields.put("position", entry.position());
    fields.put("rowId", entry.rowId());
    fields.put("changeOrder", order(entry));
    return fields;
  }
}
