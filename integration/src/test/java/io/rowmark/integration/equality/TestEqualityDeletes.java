package io.rowmark.integration.equality;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.integration.equality.ThingsRun.Shape;
import io.rowmark.integration.equality.ThingsRun.Store;
import io.rowmark.merge.report.BatchReport.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables whose rows are deleted by key end as a plain replay of their events does. */
class TestEqualityDeletes {
  @TempDir private Path folder;

  private ThingsRun run(Store store, int version, String... partitionBy) {
    Shape shape = new Shape(version, List.of(partitionBy), WantedDeletes.EQUALITY);
    return new ThingsRun(folder, store, shape);
  }

  @ParameterizedTest(name = "format {1}, {0}, partitioned by {2}")
  @CsvSource({
    "ORDERED_HADOOP, 2, none",
    "ATOMIC_REST, 3, none",
    "ATOMIC_REST, 2, 'bucket(3, id)'",
    "ORDERED_HADOOP, 3, 'bucket(3, id)'",
    "ORDERED_HADOOP, 2, area",
    "ATOMIC_REST, 3, area"
  })
  void rowsEqualAPlainReplay(Store store, int version, String partition) {
    String[] partitions = partition.equals("none") ? new String[0] : new String[] {partition};
    try (ThingsRun run = run(store, version, partitions)) {
      for (int id = 1; id <= 20; id++) {
        run.put("r", id, "a" + id % 3, id);
      }
      Map<String, Long> first = run.batch();
      assertThat(first).containsEntry("equality-delete-files-added", 0L);
      assertThat(TableUtil.formatVersion(run.table())).isEqualTo(version);
      PartitionSpec original = run.table().spec();

      run.put("u", 1, "a1", 100).put("u", 2, "moved", 200).put("u", 3, "a0", 1);
      run.put("u", 3, "moved", 2).put("u", 3, "a2", 3).remove(4);
      run.remove(5).put("c", 5, "again", 5).remove(999).put("c", 30, "a0", 30).remove(30);
      run.rekey(6, 60).rekey(7, 70).rekey(8, 7).rekey(70, 8).put("c", 31, "a1", 31);
      Map<String, Long> second = run.batch();
      // 1 2 3 4 5 999 30 6 60 7 70 8 31: each key once, whatever happened to it
      assertThat(second)
          .containsEntry("equality-deletes-added", 13L)
          .containsEntry("puts-without-lookup", 8L)
          .containsEntry("deletes-without-lookup", 5L)
          .containsEntry("inserts", 0L)
          .containsEntry("index-files-added", 0L);
      // control: what no delete is applied to holds the old rows as well
      assertThat(run.rowsWithoutDeletes()).isEqualTo(20 + 8);
      assertThat(run.appliedDeletes()).isNotEmpty();

      run.put("u", 2, "a0", 201).remove(60).put("c", 4, "back", 4).put("u", 31, "moved", 32);
      run.land();
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      run.checkRows();
      assertThat(run.rowsWithoutDeletes()).isEqualTo(20 + 8 + 3);

      assertThat(run.table().spec()).as("the table's own partitions").isEqualTo(original);
      assertThat(run.catalog().iceberg().tableExists(ThingsRun.INDEX)).isFalse();
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.NOTHING_NEW);

      run.put("u", 9, "gone", 9).truncate().put("c", 1, "new", 1).put("c", 2, "new", 2);
      run.batch();
      assertThat(run.rowsWithoutDeletes()).isEqualTo(2);
      run.put("u", 1, "newer", 3);
      run.batch();
      assertThat(run.rowsWithoutDeletes()).isEqualTo(3);
    }
  }

  @Test
  void aRepeatedBatchAndAnEmptyOneChangeNoRow() {
    try (ThingsRun run = run(Store.ORDERED_HADOOP, 3)) {
      run.put("c", 1, "a", 1).put("c", 2, "a", 2).put("c", 3, "a", 3);
      run.batch();
      run.put("u", 1, "b", 10).remove(2).put("c", 4, "b", 4).rekey(3, 5);
      List<String> records = run.land();
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      run.checkRows();
      long before = run.rowsWithoutDeletes();
      run.land(records);
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      run.checkRows();
      assertThat(run.rowsWithoutDeletes()).as("control: rows came again").isEqualTo(before + 3);

      long snapshot = run.table().currentSnapshot().snapshotId();
      run.tombstone().land();
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      run.checkRows();
      assertThat(run.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void partitionsOfTheKeyKeepTheirDeletesToThemselves(int version) {
    try (ThingsRun run = run(Store.ORDERED_HADOOP, version, "bucket(4, id)")) {
      for (int id = 1; id <= 16; id++) {
        run.put("c", id, "a", id);
      }
      run.batch();
      for (int id = 1; id <= 16; id++) {
        run.put("u", id, "b", id);
      }
      run.batch();
      assertThat(run.table().specs()).hasSize(1);
      assertThat(run.appliedDeletes()).hasSizeGreaterThan(1);
      for (FileScanTask task : run.tasks()) {
        for (DeleteFile delete : task.deletes()) {
          assertThat(delete.specId()).isEqualTo(task.spec().specId());
          assertThat(delete.partition()).isEqualTo(task.file().partition());
        }
      }
      assertThat(run.rowsWithoutDeletes()).as("control").isEqualTo(32);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void deletesReachOtherPartitionsAndOlderSpecs(int version) {
    try (ThingsRun run = run(Store.ATOMIC_REST, version, "area")) {
      for (int id = 1; id <= 6; id++) {
        run.put("c", id, "a" + id % 2, id);
      }
      run.batch();
      run.table().updateSpec().removeField("area").addField(Expressions.bucket("id", 2)).commit();
      PartitionSpec current = run.table().spec();
      for (int id = 11; id <= 16; id++) {
        run.put("c", id, "a" + id % 2, id);
      }
      run.batch();
      assertThat(run.table().spec()).isEqualTo(current);

      for (int id : new int[] {1, 2, 11, 12}) {
        run.put("u", id, "elsewhere", 100 + id);
      }
      Map<String, Long> counts = run.batch();
      assertThat(counts).containsEntry("equality-delete-files-added", 1L);
      assertThat(run.rowsWithoutDeletes()).as("control").isEqualTo(12 + 4);
      Table table = run.table();
      assertThat(table.spec()).isEqualTo(current);
      DeleteFile youngest = youngest(run.appliedDeletes());
      assertThat(table.specs().get(youngest.specId()).isUnpartitioned()).isTrue();
      List<FileScanTask> reached =
          run.tasks().stream()
              .filter(
                  task ->
                      task.deletes().stream()
                          .anyMatch(one -> one.location().equals(youngest.location())))
              .toList();
      assertThat(reached.stream().map(task -> task.spec().specId()).distinct()).hasSize(2);
      assertThat(reached.stream().map(task -> task.file().partition().toString()).distinct())
          .hasSizeGreaterThanOrEqualTo(3);

      run.put("u", 1, "again", 7).remove(12);
      run.batch();
      assertThat(run.table().specs()).as("the spec is added once").hasSize(3);
    }
  }

  private static DeleteFile youngest(List<DeleteFile> deletes) {
    return deletes.stream()
        .collect(
            Collectors.maxBy(java.util.Comparator.comparingLong(DeleteFile::dataSequenceNumber)))
        .orElseThrow();
  }

  @Test
  void anUnpartitionedTableThatWasPartitionedLaterKeepsGlobalDeletes() {
    try (ThingsRun run = run(Store.ORDERED_HADOOP, 3)) {
      run.put("c", 1, "a", 1).put("c", 2, "a", 2);
      run.batch();
      run.table().updateSpec().addField(Expressions.bucket("id", 4)).commit();
      run.put("u", 1, "b", 2);
      run.batch();
      assertThat(run.table().specs()).hasSize(2);
      assertThat(run.rowsWithoutDeletes()).as("control").isEqualTo(3);

      // once no file of the old spec is left, the key says where its old row is
      run.sql(
          "CALL %s.system.rewrite_data_files(table => 'shop.things', options => map('rewrite-all', 'true'))"
              .formatted(run.catalog().name()));
      run.checkRows();
      run.put("u", 1, "c", 3).put("u", 2, "c", 3);
      run.batch();
      int current = run.table().spec().specId();
      assertThat(youngest(run.appliedDeletes()).specId()).isEqualTo(current);
      assertThat(run.rowsWithoutDeletes()).as("control").isEqualTo(2 + 2);
    }
  }

  @Test
  void deleteFilesRollAtTheirSizeAndAreSortedByKey() {
    try (ThingsRun run = run(Store.ORDERED_HADOOP, 2)) {
      for (int id = 1; id <= 2500; id++) {
        run.put("c", id, "a", id);
      }
      run.batch();
      for (int id = 2500; id >= 1; id--) {
        run.put("u", id, "b", id);
      }
      Map<String, Long> counts = run.batch();
      assertThat(counts).containsEntry("equality-delete-files-added", 3L);
      for (DeleteFile delete : run.appliedDeletes()) {
        List<Long> keys =
            io.rowmark.index.testing.LocalSpark.session()
                .read()
                .parquet(delete.location())
                .collectAsList()
                .stream()
                .map(
                    row -> {
                      assertThat(row.size()).as("columns of a delete").isEqualTo(1);
                      return row.getLong(0);
                    })
                .toList();
        assertThat(keys).hasSizeGreaterThan(100).isSorted();
        assertThat(keys.get(keys.size() - 1) - keys.get(0)).isEqualTo(keys.size() - 1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void uuidKeysThatReadersOrderDifferentlyAreDeleted(int version) {
    try (ThingsRun run = run(Store.ORDERED_HADOOP, version).declare("id", "uuid")) {
      Schema schema =
          new Schema(
              Types.NestedField.required(1, "id", Types.UUIDType.get()),
              Types.NestedField.optional(2, "area", Types.StringType.get()),
              Types.NestedField.optional(3, "amount", Types.LongType.get()));
      run.catalog()
          .iceberg()
          .createTable(
              ThingsRun.THINGS,
              schema,
              PartitionSpec.unpartitioned(),
              Map.of("format-version", Integer.toString(version)));
      // above and below the middle, where signed and unsigned order part
      String low = "10000000-0000-4000-8000-000000000001";
      String middle = "70000000-0000-4000-8000-000000000002";
      String high = "90000000-0000-4000-8000-000000000003";
      String highest = "f0000000-0000-4000-8000-000000000004";
      run.put("c", low, "a", 1).put("c", middle, "a", 2).put("c", high, "a", 3);
      run.put("c", highest, "a", 4);
      run.batch();
      run.put("u", high, "b", 5);
      run.batch();
      run.put("u", middle, "c", 6).remove(low).put("u", highest, "c", 7);
      run.batch();
      assertThat(run.rowsWithoutDeletes()).as("control").isEqualTo(4 + 1 + 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aKeyColumnThatGrowsStillFindsItsOldRows(int version) {
    try (ThingsRun run = run(Store.ATOMIC_REST, version).declare("id", "int")) {
      run.put("c", 1, "a", 1).put("c", 2, "a", 2).put("c", 3, "a", 3);
      run.batch();
      run.put("u", 1, "b", 4);
      run.batch();
      assertThat(run.table().schema().findType("id")).isEqualTo(Types.IntegerType.get());
      run.put("u", 2, "b", 5).put("c", 1L << 40, "b", 6).put("u", 1, "c", 7);
      run.batch();
      assertThat(run.table().schema().findType("id")).isEqualTo(Types.LongType.get());
      assertThat(run.rowsWithoutDeletes()).as("control").isEqualTo(3 + 1 + 3);
    }
  }
}
