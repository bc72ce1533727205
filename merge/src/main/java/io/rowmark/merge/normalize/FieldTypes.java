package io.rowmark.merge.normalize;

import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.change.RecordView;
import io.rowmark.formats.change.RowValues.Types;
import io.rowmark.formats.type.ConnectSchema;
import io.rowmark.formats.type.MySqlTypes;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The types of the columns of a record's row, wherever the feed tells them: in the file's schema,
 * in a Connect schema beside the value, or in the record. One list for one schema, so that it can
 * be known again by its identity.
 */
final class FieldTypes {
  private final EnvelopeLayout layout;
  private final Map<StructOf, List<SourceField>> byFile = new IdentityHashMap<>();
  private final Map<Object, List<SourceField>> byConnectSchema = new IdentityHashMap<>();
  private final Map<Object, List<SourceField>> byEqualSchema = new HashMap<>();
  private final Map<Object, List<SourceField>> byColumnMap = new HashMap<>();

  FieldTypes(EnvelopeLayout layout) {
    this.layout = layout;
  }

  /**
   * The columns' types; null when nothing tells them.
   *
   * @param file types of the whole record; null where the file tells none
   * @param schema a Connect schema of the value; null for none
   * @throws io.rowmark.formats.failure.RowmarkException SOURCE when a schema cannot be read
   */
  @Nullable List<SourceField> of(
      RecordView record, @Nullable StructOf file, @Nullable Object schema) {
    List<SourceField> found = List.of();
    if (file != null) {
      found = byFile.computeIfAbsent(file, this::ofFile);
    } else if (schema != null && layout.values().types() == Types.CONNECT_SCHEMA) {
      // the reader knows a schema at the top again; one further inside is another object each time
      boolean same = record.whole().get("schema") == schema;
      found = (same ? byConnectSchema : byEqualSchema).computeIfAbsent(schema, this::ofConnect);
    } else if (layout.values().types() == Types.MYSQL && layout.values().typesPath() != null) {
      Object columns = layout.values().typesPath().in(record);
      if (columns instanceof Map<?, ?> map) {
        found = byColumnMap.computeIfAbsent(columns, types -> ofColumns(map));
      }
    }
    return found.isEmpty() ? null : found;
  }

  private List<SourceField> ofFile(StructOf file) {
    StructOf value = file;
    FieldPath wrapped = layout.wrapping().value();
    StructOf inner = wrapped == null ? null : struct(file, wrapped.names());
    if (inner != null) {
      value = inner;
    }
    for (FieldPath image : images()) {
      StructOf row = struct(value, image.names());
      if (row != null) {
        return columns(row.fields());
      }
    }
    return List.of();
  }

  private static @Nullable StructOf struct(StructOf from, List<String> names) {
    StructOf at = from;
    for (String name : names) {
      SourceType next =
          at.fields().stream()
              .filter(field -> field.name().equals(name))
              .map(SourceField::type)
              .findFirst()
              .orElse(null);
      if (!(next instanceof StructOf struct)) {
        return null;
      }
      at = struct;
    }
    return at;
  }

  private List<SourceField> ofConnect(Object schema) {
    for (FieldPath image : images()) {
      Map<?, ?> at = schema instanceof Map<?, ?> map ? map : Map.of();
      for (String name : image.names()) {
        at = member(at, name);
      }
      if (at.get("fields") instanceof List<?>) {
        return columns(ConnectSchema.fields(textKeys(at)));
      } else if (!at.isEmpty() && !image.isWhole()) {
        return columns(ConnectSchema.fields(textKeys(at)));
      }
    }
    return List.of();
  }

  private static Map<?, ?> member(Map<?, ?> schema, String name) {
    if (schema.get("fields") instanceof List<?> members) {
      for (Object member : members) {
        if (member instanceof Map<?, ?> field && name.equals(field.get("field"))) {
          return field;
        }
      }
    }
    return Map.of();
  }

  private List<SourceField> ofColumns(Map<?, ?> types) {
    List<SourceField> fields = new ArrayList<>();
    new TreeMap<>(textKeys(types))
        .forEach(
            (name, type) ->
                fields.add(
                    new SourceField(
                        name, MySqlTypes.of(String.valueOf(type)), Presence.OPTIONAL, null)));
    return columns(fields);
  }

  private List<FieldPath> images() {
    List<FieldPath> images = new ArrayList<>();
    if (layout.images().after() != null) {
      images.add(layout.images().after());
    }
    if (layout.images().before() != null) {
      images.add(layout.images().before());
    }
    return images;
  }

  private List<SourceField> columns(List<SourceField> fields) {
    return layout.images().exclude().isEmpty()
        ? fields
        : fields.stream().filter(field -> layout.images().isColumn(field.name())).toList();
  }

  @SuppressWarnings("unchecked") // records have text keys only
  private static Map<String, @Nullable Object> textKeys(Map<?, ?> map) {
    return (Map<String, @Nullable Object>) map;
  }
}
