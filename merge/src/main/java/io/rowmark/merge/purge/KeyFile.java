package io.rowmark.merge.purge;

import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.formats.key.SortedKeysBuilder;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.ValueRejected;
import io.rowmark.merge.record.RecordReader;
import io.rowmark.merge.record.RecordReaders;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.record.SourceRecord;
import io.rowmark.merge.spec.RecordSpec;
import io.rowmark.merge.spec.RecordSpec.Csv;
import io.rowmark.merge.spec.RecordSpec.Format;
import io.rowmark.merge.spec.RecordSpec.Header;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keys in a file, on any file system that Hadoop knows: separated values with a head line that
 * names the key columns, or a JSON object a line. Compressed by its ending, as in keys.csv.gz. Of
 * its values nothing is ever told.
 */
public final class KeyFile {
  private static final String MEND =
      " Nothing was changed. Correct the file; its columns must be those of the key.";

  private final String path;
  private final KeySpec key;
  private final KeyValue[] columns;

  private KeyFile(String path, KeySpec key, Map<String, ColumnDeclaration> declared) {
    this.path = path;
    this.key = key;
    this.columns =
        key.columns().stream()
            .map(column -> KeyValue.of(column, declared.get(column.name())))
            .toArray(KeyValue[]::new);
  }

  /**
   * Reads keys.
   *
   * @param key the key columns as the table has them
   * @param declared source types of the configuration, by column
   * @return each key once
   * @throws RowmarkException SOURCE for a file that cannot be read, has no key, or has a line that
   *     is no key: a column too many or too few, a null, a value that is none of the column's type
   */
  public static SortedKeys read(
      String path, KeySpec key, Map<String, ColumnDeclaration> declared, Configuration hadoop) {
    return new KeyFile(path, key, declared).keys(hadoop);
  }

  private SortedKeys keys(Configuration hadoop) {
    RecordReaders readers =
        new RecordReaders(
            new RecordSpec(format(), new Csv(Header.FIRST_LINE, ',', '"', ""), null),
            EnvelopeLayouts.named("flat").images(),
            List.of(),
            hadoop);
    SortedKeysBuilder keys = SortedKeys.builder(key);
    long count = 0;
    try (RecordReader reader = readers.open(slice(hadoop))) {
      while (reader.next()) {
        if (add(keys, reader.record(), reader.place())) {
          count++;
        }
      }
    } catch (IOException e) {
      throw RowmarkException.source("Key file '%s' cannot be read to its end.".formatted(path), e);
    }
    if (count == 0) {
      throw RowmarkException.source(
          "Key file '%s' holds no key. Nothing was changed.".formatted(path));
    }
    return keys.sorted();
  }

  private Format format() {
    String name = path.toLowerCase(Locale.ROOT).replaceAll("\\.(gz|bz2|zst|snappy|lz4)$", "");
    if (name.endsWith(".csv")) {
      return Format.CSV;
    } else if (name.endsWith(".json") || name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
      return Format.JSON;
    }
    throw RowmarkException.source(
        "Key file '%s' has an ending that says nothing of its format. Name it .csv, or .json for one object a line."
            .formatted(path));
  }

  private Slice slice(Configuration hadoop) {
    try {
      Path file = new Path(path);
      FileStatus status = file.getFileSystem(hadoop).getFileStatus(file);
      return new Slice(
          status.getPath().toString(), path, 0, 0, status.getLen(), Slice.Place.LINE, -1);
    } catch (IOException | IllegalArgumentException e) {
      throw RowmarkException.source(
          "Key file '%s' cannot be opened (%s). Correct --keys."
              .formatted(path, e.getClass().getSimpleName()),
          e);
    }
  }

  /** Whether the record is a key; blank lines are none. */
  private boolean add(SortedKeysBuilder keys, SourceRecord record, long line) {
    if (record instanceof SourceRecord.Blank) {
      return false;
    } else if (record instanceof SourceRecord.Broken broken) {
      throw wrong(line, null, broken.reason());
    } else if (!(record instanceof SourceRecord.Fields)) {
      throw wrong(line, null, "the line is a null and no key");
    }
    SourceRecord.Fields fields = (SourceRecord.Fields) record;
    if (fields.defect() != null) {
      throw wrong(line, null, fields.defect().reason());
    }
    checkColumns(fields.values().keySet(), line);
    for (int i = 0; i < columns.length; i++) {
      String name = key.columns().get(i).name();
      Object value = fields.values().get(name);
      if (value == null) {
        throw wrong(line, name, "the value is null, and no key has one");
      }
      try {
        keys.set(i, columns[i].encode(value));
      } catch (ValueRejected rejected) {
        throw wrong(line, name, rejected.reason());
      }
    }
    keys.next();
    return true;
  }

  private void checkColumns(Set<String> given, long line) {
    for (String name : given) {
      if (!key.names().contains(name)) {
        throw wrong(line, name, "the key has no such column; it is " + key.names());
      }
    }
    for (String name : key.names()) {
      if (!given.contains(name)) {
        throw wrong(line, name, "the column is missing, and the key is " + key.names());
      }
    }
  }

  private RowmarkException wrong(long line, @Nullable String column, String reason) {
    return RowmarkException.source(
        "Key file '%s', line %d%s: %s.%s"
            .formatted(
                path, line, column == null ? "" : ", column '" + column + "'", reason, MEND));
  }
}
