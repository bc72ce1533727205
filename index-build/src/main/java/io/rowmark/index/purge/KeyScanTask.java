package io.rowmark.index.purge;

import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.position.LiveFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;

/** Reads the key columns of files; yields serialized {@link FileHits} of those that hold a key. */
final class KeyScanTask implements FlatMapFunction<Iterator<LiveFile>, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<PurgePlan> shipped;
  private final KeyScan.Depth depth;

  KeyScanTask(Broadcast<PurgePlan> shipped, KeyScan.Depth depth) {
    this.shipped = shipped;
    this.depth = depth;
  }

  @Override
  public Iterator<byte[]> call(Iterator<LiveFile> files) {
    PurgePlan plan = shipped.value();
    FileRecords reader = plan.records();
    List<NestedField> columns = columns(plan);
    List<byte[]> found = new ArrayList<>();
    while (files.hasNext()) {
      LiveFile live = files.next();
      try {
        FileHits hits = hits(plan, reader, columns, live);
        if (hits.all() > 0) {
          found.add(SerializationUtil.serializeToBytes(hits));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read file " + live.path(), e);
      }
    }
    return found.iterator();
  }

  /** The key, and of an index the data file, which is the column behind it. */
  private static List<NestedField> columns(PurgePlan plan) {
    // a file of an older snapshot may lack a column
    List<NestedField> columns = new ArrayList<>();
    plan.keys().columns(plan.table().schema()).forEach(key -> columns.add(key.asOptional()));
    if (plan.table().properties().containsKey(IndexLayout.MARK)) {
      columns.add(plan.table().schema().findField(IndexLayout.DATA_FILE));
    }
    return columns;
  }

  private FileHits hits(
      PurgePlan plan, FileRecords reader, List<NestedField> columns, LiveFile live)
      throws IOException {
    int width = plan.keys().key().columns().size();
    boolean isIndex = columns.size() > width;
    long alive = 0;
    long dead = 0;
    long tombstones = 0;
    Set<String> dataFiles = new HashSet<>();
    var groups = GroupFilter.of(plan.keys(), new Schema(columns), live.file());
    try (FileRecords.Rows rows = reader.rows(live, columns, groups)) {
      WantedKeys.Matcher matcher = plan.keys().matcher(rows.schema());
      for (Record record : rows.records()) {
        if (!matcher.matches(record)) {
          continue;
        }
        if (!rows.isLive(record)) {
          dead++;
        } else {
          alive++;
          if (isIndex) {
            String file = record.get(width, String.class);
            if (file == null) {
              tombstones++;
            } else {
              dataFiles.add(file);
            }
          }
        }
        if (depth == KeyScan.Depth.EXISTENCE) {
          break;
        }
      }
    }
    return new FileHits(live.path(), alive, dead, tombstones, dataFiles);
  }
}
