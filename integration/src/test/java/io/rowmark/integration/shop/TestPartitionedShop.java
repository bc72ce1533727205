package io.rowmark.integration.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.integration.shop.CapturedStream.Form;
import io.rowmark.integration.shop.ShopRun.Store;
import io.rowmark.merge.report.BatchReport.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partitioned tables, with rows that change their partition, end as their sources did. */
class TestPartitionedShop {
  private static final List<String> TABLES = List.of("customers", "order_items");
  private static final List<String> SETTINGS =
      List.of(
          // 'Big 1' of day 1 becomes 'Renamed 3001' on day 2: another partition, and a filled bio.
          "tables.\"shop.customers\".partition-by=[\"bucket(2, id)\", \"truncate(1, name)\"]",
          // Day 2 doubles prices: they move on by steps of 50.00.
          "tables.\"shop.order_items\".partition-by=[\"truncate(5000, price)\"]");

  @TempDir private Path folder;

  @ParameterizedTest(name = "format {1}, {0}")
  @CsvSource({"ATOMIC_REST, 3", "ORDERED_HADOOP, 2"})
  void rowsThatChangePartitionAreInOnePlaceOnly(Store store, int format) {
    try (ShopRun run = ShopRun.start(folder, store, format, SETTINGS)) {
      run.land(Form.PLAIN, 1, TABLES);
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      check(run, 1);
      Map<String, Map<String, Object>> before = run.rows("customers").byKey();
      run.land(Form.PLAIN, 2, TABLES);
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      check(run, 2);

      Map<String, Map<String, Object>> after = run.rows("customers").byKey();
      assertThat(before.get("3001")).containsEntry("name", "Big 1");
      assertThat(after.get("3001")).containsEntry("name", "Renamed 3001");
      assertThat(after.get("3001")).containsEntry("bio", before.get("3001").get("bio"));
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.NOTHING_NEW);
    }
  }

  private static void check(ShopRun run, int day) {
    for (String table : TABLES) {
      assertThat(run.table(table).spec().isPartitioned()).isTrue();
      assertThat(run.expected(table, day).differences(run.rows(table)))
          .as("%s after day %d", table, day)
          .containsExactlyInAnyOrderElementsOf(KnownDifferences.of(run, Form.PLAIN, table, day));
      TableOracle.check(run, table);
    }
  }
}
