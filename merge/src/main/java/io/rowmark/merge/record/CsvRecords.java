package io.rowmark.merge.record;

import io.rowmark.formats.change.RowImages;
import io.rowmark.formats.change.RowImages.LeadingIn;
import io.rowmark.merge.record.SourceRecord.Broken;
import io.rowmark.merge.record.SourceRecord.Fields;
import io.rowmark.merge.spec.RecordSpec.Csv;
import io.rowmark.merge.spec.RecordSpec.Header;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads separated values by RFC 4180: a field in quotes may hold separators, line ends and doubled
 * quotes. The null mark counts outside of quotes only. Values are text.
 *
 * <p>Lines of a file without header have the table's fields, with or without those of the envelope
 * before them (DMS writes the operation into files of changes, but not into those of a full load).
 */
final class CsvRecords implements RecordReader {
  private static final int END = -1;

  private final Slice slice;
  private final Reader reader;
  private final Csv csv;
  private final RowImages images;
  private final List<String> fields;
  private final StringBuilder raw = new StringBuilder();
  private List<@Nullable String> current = List.of();
  private @Nullable List<String> header;
  private @Nullable String repeated;
  private long records;
  private long lineEnds;
  private long startedAt;
  private int ahead;

  CsvRecords(Slice slice, InputStream stream, Csv csv, RowImages images, List<String> fields) {
    this.slice = slice;
    this.csv = csv;
    this.images = images;
    this.fields = fields;
    this.reader =
        new BufferedReader(
            new InputStreamReader(
                stream, StandardCharsets.UTF_8.newDecoder())); // strict: reports bad bytes
    try {
      ahead = reader.read();
      if (ahead == '\ufeff') {
        advance();
      }
      if (csv.header() == Header.FIRST_LINE && ahead != END) {
        List<String> names = new ArrayList<>();
        line().forEach(name -> names.add(name == null ? "" : name));
        header = names;
        repeated = repeated(names);
      }
    } catch (IOException e) {
      throw RecordReaders.unreadable(slice, e);
    }
  }

  /** Columns without a name are no columns of a table. */
  private static @Nullable String repeated(List<String> names) {
    Set<String> seen = new HashSet<>();
    return names.stream()
        .filter(name -> !name.isEmpty() && !seen.add(name))
        .findFirst()
        .orElse(null);
  }

  @Override
  public boolean next() {
    try {
      while (ahead == '\n' || ahead == '\r') {
        advance();
      }
      if (ahead == END) {
        return false;
      }
      records++;
      startedAt = lineEnds;
      current = line();
      return true;
    } catch (IOException e) {
      throw RecordReaders.unreadable(slice, e);
    }
  }

  private List<@Nullable String> line() throws IOException {
    raw.setLength(0);
    List<@Nullable String> values = new ArrayList<>();
    while (true) {
      values.add(ahead == csv.quote() ? quoted() : bare());
      if (ahead != csv.delimiter()) {
        break;
      }
      take();
    }
    if (ahead == '\r') {
      advance();
    }
    if (ahead == '\n') {
      advance();
    }
    return values;
  }

  private @Nullable String bare() throws IOException {
    StringBuilder text = new StringBuilder();
    while (ahead != END && ahead != csv.delimiter() && ahead != '\n' && ahead != '\r') {
      text.append((char) take());
    }
    String value = text.toString();
    return value.equals(csv.nullValue()) ? null : value;
  }

  private String quoted() throws IOException {
    StringBuilder text = new StringBuilder();
    take();
    while (true) {
      if (ahead == END) {
        throw new IOException("a quote is not closed in record %d".formatted(records));
      }
      int c = take();
      if (c != csv.quote()) {
        text.append((char) c);
      } else if (ahead == csv.quote()) {
        text.append((char) take());
      } else {
        break;
      }
    }
    // Text behind the closing quote belongs to the field, as lenient writers have it.
    while (ahead != END && ahead != csv.delimiter() && ahead != '\n' && ahead != '\r') {
      text.append((char) take());
    }
    return text.toString();
  }

  private int take() throws IOException {
    int taken = ahead;
    raw.append((char) taken);
    advance();
    return taken;
  }

  private void advance() throws IOException {
    lineEnds += ahead == '\n' ? 1 : 0;
    ahead = reader.read();
  }

  @Override
  public SourceRecord record() {
    List<String> names = header != null ? header : names();
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 0; i < Math.min(names.size(), current.size()); i++) {
      values.put(names.get(i), current.get(i));
    }
    return new Fields(values, null, defect(names));
  }

  private @Nullable Broken defect(List<String> names) {
    if (names.size() != current.size()) {
      return new Broken(
          "column-count",
          "the record has %d fields where %d are expected".formatted(current.size(), names.size()));
    }
    return repeated == null
        ? null
        : new Broken("column-twice", "the head of the file names '%s' twice".formatted(repeated));
  }

  private List<String> names() {
    if (images.leadingIn() == LeadingIn.LONGER && current.size() == fields.size()) {
      return fields;
    }
    List<String> all = new ArrayList<>(images.leading());
    all.addAll(fields);
    return all;
  }

  @Override
  public long place() {
    return slice.place() == Slice.Place.LINE ? startedAt + 1 : records;
  }

  @Override
  public byte @Nullable [] bytes() {
    return raw.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
