package io.rowmark.merge.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestBatchMarker {
  @TempDir Path folder;

  private Table table() {
    return new HadoopTables(new Configuration())
        .create(
            new Schema(Types.NestedField.required(1, "id", Types.LongType.get())),
            folder.resolve("t").toString());
  }

  private static void commit(Table table, String batchId) {
    AppendFiles append = table.newAppend();
    BatchMarker.summary("shop", batchId).forEach(append::set);
    append.commit();
  }

  @Test
  void aBatchIsFoundUnderLaterCommits() {
    Table table = table();
    assertThat(BatchMarker.isIn(table, "b1")).isFalse();
    commit(table, "b1");
    table.newAppend().commit();
    assertThat(BatchMarker.isIn(table, "b1")).isTrue();
    assertThat(BatchMarker.isIn(table, "b2")).isFalse();
    assertThat(BatchMarker.marks(table.currentSnapshot(), "b1")).isFalse();
  }

  @Test
  void aBatchThatWasRolledBackIsNotIn() {
    Table table = table();
    commit(table, "b1");
    long kept = table.currentSnapshot().snapshotId();
    commit(table, "b2");
    table.manageSnapshots().rollbackTo(kept).commit();
    assertThat(BatchMarker.isIn(table, "b2")).isFalse();
    assertThat(BatchMarker.isIn(table, "b1")).isTrue();
  }
}
