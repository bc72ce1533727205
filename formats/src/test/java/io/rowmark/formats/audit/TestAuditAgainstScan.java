package io.rowmark.formats.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On tables that Iceberg can plan, the audit assigns the same deletes to each data file. */
class TestAuditAgainstScan {
  private static final List<String> REGIONS = List.of("eu", "us");

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void randomTablesCountDeletesAsScanPlanningDoes(long seed, @TempDir Path folder)
      throws IOException {
    Random random = new Random(seed);
    TableInFolder table =
        TableInFolder.create(folder.resolve("t"), PartitionSpec.unpartitioned(), 2);
    for (int step = 0; step < 14; step++) {
      if (step == 5 && random.nextBoolean()) {
        table.table().updateSpec().addField("region").commit();
      }
      if (step == 10 && random.nextBoolean()) {
        table.upgradeToV3();
      }
      change(table, random);
    }
    Expected expected = Expected.of(table);
    TableAudit audit = table.audit();

    assertThat(audit.perDataFile().max()).isEqualTo(expected.most);
    assertThat(
            audit.perDataFile().buckets().stream()
                .mapToLong(DeletesPerFile.Bucket::dataFiles)
                .sum())
        .isEqualTo(expected.counts.size());
    for (DeletesPerFile.Bucket bucket : audit.perDataFile().buckets()) {
      assertThat(
              expected.counts.stream()
                  .filter(count -> count >= bucket.from() && count <= bucket.to())
                  .count())
          .isEqualTo(bucket.dataFiles());
    }
    assertThat(audit.data().records()).isEqualTo(expected.records);
    assertThat(audit.findings())
        .allMatch(found -> found.kind().gravity() == Finding.Gravity.REMARK);
  }

  private static void change(TableInFolder table, Random random) throws IOException {
    String region = REGIONS.get(random.nextInt(REGIONS.size()));
    List<FileScanTask> live = live(table);
    int choice = live.isEmpty() ? 0 : random.nextInt(4);
    switch (choice) {
      case 0 -> table.append(region, 1, 2, 3, 4, 5, 6, 7, 8);
      case 1 ->
          table.commit(
              table.equality(table.region(region), table.table().spec(), random.nextInt()));
      case 2 -> deleteRow(table, live.get(random.nextInt(live.size())));
      default -> deleteOfSeveral(table, live, live.get(random.nextInt(live.size())));
    }
  }

  private static void deleteRow(TableInFolder table, FileScanTask task) throws IOException {
    DataFile file = task.file();
    if (TableUtil.formatVersion(table.table()) < 3) {
      table.commit(table.delete(file, List.of(), 0));
    } else if (task.deletes().stream()
        .noneMatch(delete -> delete.format() == org.apache.iceberg.FileFormat.PUFFIN)) {
      PartitionSpec spec = table.table().specs().get(file.specId());
      table.commit(table.vector(file.location(), spec, file.partition(), 1));
    }
  }

  private static void deleteOfSeveral(
      TableInFolder table, List<FileScanTask> live, FileScanTask one) throws IOException {
    if (TableUtil.formatVersion(table.table()) >= 3) {
      return;
    }
    Map<String, Long> positions = new HashMap<>();
    for (FileScanTask other : live) {
      if (other.file().specId() == one.file().specId()
          && other.file().partition().equals(one.file().partition())) {
        positions.put(other.file().location(), 7L);
      }
    }
    DeleteFile delete =
        table.spanning(
            one.file().partition(), table.table().specs().get(one.file().specId()), positions);
    table.commit(delete);
  }

  private static List<FileScanTask> live(TableInFolder table) throws IOException {
    table.table().refresh();
    List<FileScanTask> tasks = new ArrayList<>();
    try (CloseableIterable<FileScanTask> planned = table.table().newScan().planFiles()) {
      planned.forEach(tasks::add);
    }
    return tasks;
  }

  /** What scan planning says. */
  private record Expected(List<Integer> counts, int most, long records) {
    static Expected of(TableInFolder table) throws IOException {
      List<FileScanTask> tasks = live(table);
      List<Integer> counts = tasks.stream().map(task -> task.deletes().size()).toList();
      return new Expected(
          counts,
          counts.stream().mapToInt(count -> count).max().orElse(0),
          tasks.stream().mapToLong(task -> task.file().recordCount()).sum());
    }
  }
}
