package io.rowmark.index.reconcile;

import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;

/** What others do to a table of {@code (id, region, amount)} behind the index's back. */
enum ForeignOperation {
  COMPACTION_OF_ALL_FILES(
      t -> call(t, "rewrite_data_files", "options => map('rewrite-all', 'true')")),
  COMPACTION_OF_ONE_FILE(
      t ->
          call(
              t,
              "rewrite_data_files",
              "where => 'id < 50', options => map('rewrite-all', 'true')")),
  SORTING_COMPACTION(
      t ->
          call(
              t,
              "rewrite_data_files",
              "strategy => 'sort', sort_order => 'amount DESC, id DESC', options => map('rewrite-all', 'true')")),
  REWRITE_OF_POSITION_DELETES(
      t -> call(t, "rewrite_position_delete_files", "options => map('rewrite-all', 'true')")),
  REWRITE_OF_MANIFESTS(t -> call(t, "rewrite_manifests", "use_caching => false")),
  COPY_ON_WRITE_UPDATE(
      t -> {
        mode(t, "copy-on-write");
        t.sql("UPDATE $t SET amount = amount + 1 WHERE id % 70 = 3");
      }),
  COPY_ON_WRITE_DELETE(
      t -> {
        mode(t, "copy-on-write");
        t.sql("DELETE FROM $t WHERE id % 70 = 4");
      }),
  MERGE_ON_READ_UPDATE(
      t -> {
        mode(t, "merge-on-read");
        t.sql("UPDATE $t SET amount = amount + 1 WHERE id % 60 = 5");
      }),
  MERGE_ON_READ_DELETE(
      t -> {
        mode(t, "merge-on-read");
        t.sql("DELETE FROM $t WHERE id % 40 = 9");
      }),
  DELETE_THAT_SPANS_FILES(
      t -> {
        mode(t, "merge-on-read");
        t.sql("ALTER TABLE $t SET TBLPROPERTIES ('write.delete.granularity'='partition')");
        t.sql("DELETE FROM $t WHERE id % 45 = 11");
      }),
  MERGE(
      t -> {
        mode(t, "merge-on-read");
        long next = nextId(t);
        t.sql(
            "MERGE INTO $t t USING (SELECT id * 13 AS id FROM range(20) UNION ALL SELECT "
                + next
                + ") s ON t.id = s.id WHEN MATCHED AND t.id % 2 = 0 THEN DELETE"
                + " WHEN MATCHED THEN UPDATE SET amount = 9"
                + " WHEN NOT MATCHED THEN INSERT (id, region, amount) VALUES (s.id, 'm', 1)");
      }),
  APPEND(
      t ->
          t.sql(
              "INSERT INTO $t (id, region, amount) SELECT id + %d, 'new', 0 FROM range(20)"
                  .formatted(nextId(t)))),
  APPEND_OF_A_DELETED_KEY(
      t ->
          t.sql(
              "INSERT INTO $t (id, region, amount) SELECT id, 'back', 0 FROM (VALUES (7777), (57)) v (id)"
                  + " WHERE id NOT IN (SELECT id FROM $t)")),
  EQUALITY_DELETE_BY_KEY(t -> deleteEqual(t, Map.of("id", 33L))),
  EQUALITY_DELETE_BY_OTHER_COLUMN(t -> deleteEqual(t, Map.of("region", "r1"))),
  COLUMN_ADDED(
      t -> {
        t.sql("ALTER TABLE $t ADD COLUMN c%d STRING".formatted(System.nanoTime()));
        APPEND.apply(t);
      }),
  PARTITIONING_CHANGED(
      t -> {
        int fields = t.data().spec().fields().size();
        t.sql("ALTER TABLE $t ADD PARTITION FIELD bucket(%d, id)".formatted(fields + 2));
        APPEND.apply(t);
        MERGE_ON_READ_DELETE.apply(t);
      }),
  UPGRADE(
      t -> {
        t.sql("ALTER TABLE $t SET TBLPROPERTIES ('format-version'='3')");
        MERGE_ON_READ_UPDATE.apply(t);
      }),
  UPGRADE_AND_REWRITE_OF_POSITION_DELETES(
      t -> {
        t.sql("ALTER TABLE $t SET TBLPROPERTIES ('format-version'='3')");
        REWRITE_OF_POSITION_DELETES.apply(t);
      }),
  ROLLBACK(
      t -> {
        Snapshot current = t.data().currentSnapshot();
        Long parent = current == null ? null : current.parentId();
        if (parent != null && t.data().snapshot(parent) != null) {
          call(t, "rollback_to_snapshot", "snapshot_id => " + parent);
        }
      }),
  REPLACED_BRANCH(
      t -> {
        if (t.data().currentSnapshot() == null) {
          return;
        }
        String branch = "b" + System.nanoTime();
        t.sql("ALTER TABLE $t CREATE BRANCH " + branch);
        String onBranch = t.names().sparkData() + ".branch_" + branch;
        t.sql("DELETE FROM " + onBranch + " WHERE id % 33 = 6");
        t.sql(
            "INSERT INTO %s (id, region, amount) VALUES (%d, 'b', 0)"
                .formatted(onBranch, nextId(t)));
        call(t, "fast_forward", "branch => 'main', to => '" + branch + "'");
      }),
  SNAPSHOT_CHOSEN(
      t -> {
        var snapshots = t.sql("SELECT snapshot_id FROM " + snapshots(t) + " ORDER BY committed_at");
        call(t, "set_current_snapshot", "snapshot_id => " + snapshots.get(0).getLong(0));
      }),
  REPLACED_TABLE(
      t ->
          t.sql(
              "CREATE OR REPLACE TABLE $t USING iceberg TBLPROPERTIES ('format-version'='%d')"
                      .formatted(TableUtil.formatVersion(t.data()))
                  + " AS SELECT /*+ REPARTITION(2) */ * FROM $t WHERE id % 5 != 0")),
  TRUNCATE(t -> t.sql("TRUNCATE TABLE $t")),
  REMOVAL_OF_A_FILE(
      t -> {
        List<DataFile> files = t.data().currentSnapshot() == null ? List.of() : liveFiles(t.data());
        if (!files.isEmpty()) {
          DeleteFiles delete = t.data().newDelete();
          delete.deleteFile(files.get(0)).commit();
        }
      }),
  INDEX_ROLLED_BACK(
      t -> {
        long former = t.index().currentSnapshot().snapshotId();
        APPEND.apply(t);
        IndexReconciler.reconcile(LocalSpark.session(), t.names());
        t.index().manageSnapshots().setCurrentSnapshot(former).commit();
        APPEND.apply(t);
      });

  private interface Change {
    void on(IndexFixture table);
  }

  private final Change change;

  ForeignOperation(Change change) {
    this.change = change;
  }

  void apply(IndexFixture table) {
    change.on(table);
  }

  static void expire(IndexFixture table) {
    call(
        table,
        "expire_snapshots",
        "older_than => TIMESTAMP '2999-01-01 00:00:00', retain_last => 1");
  }

  static void call(IndexFixture table, String procedure, String arguments) {
    table.sql(
        "CALL %s.system.%s(table => '%s', %s)"
            .formatted(table.names().sparkCatalog(), procedure, table.names().data(), arguments));
  }

  private static String snapshots(IndexFixture table) {
    return table.names().sparkData() + ".snapshots";
  }

  private static void mode(IndexFixture table, String mode) {
    table.sql(
        "ALTER TABLE $t SET TBLPROPERTIES ('write.delete.mode'='%s', 'write.update.mode'='%s', 'write.merge.mode'='%s')"
            .formatted(mode, mode, mode));
  }

  private static long nextId(IndexFixture table) {
    return (long) table.value("SELECT coalesce(max(id), 0) + 10000 FROM $t");
  }

  private static List<DataFile> liveFiles(Table table) {
    try (var tasks = table.newScan().planFiles()) {
      List<DataFile> files = new ArrayList<>();
      tasks.forEach(task -> files.add(task.file().copy()));
      return files;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteEqual(IndexFixture table, Map<String, Object> values) {
    // only a delete of an unpartitioned spec applies everywhere; others are left to other tests
    if (table.data().spec().isUnpartitioned()) {
      try {
        IndexFixture.deleteEqual(table.data(), values);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
