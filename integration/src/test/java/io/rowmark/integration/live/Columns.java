package io.rowmark.integration.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/** Reads columns of a table at a snapshot, by Iceberg's own generic reader. */
final class Columns {
  private Columns() {}

  /** The values of each row in the order of the names; no rows if the snapshot is null. */
  static List<List<Object>> read(Table table, Snapshot snapshot, String... names) {
    List<List<Object>> rows = new ArrayList<>();
    if (snapshot == null) {
      return rows;
    }
    try (CloseableIterable<Record> records =
        IcebergGenerics.read(table).useSnapshot(snapshot.snapshotId()).select(names).build()) {
      for (Record record : records) {
        rows.add(Arrays.asList(Arrays.stream(names).map(record::getField).toArray()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }
}
