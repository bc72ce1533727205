package io.rowmark.integration.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.integration.shop.CapturedStream.Form;
import io.rowmark.integration.shop.ShopRun.Store;
import io.rowmark.merge.report.BatchReport.Outcome;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partitioned tables, with rows that change their partition, end as their sources did. */
@Tag("long")
class TestPartitionedShop {
  private static final List<String> TABLES = List.of("customers", "order_items");
  private static final List<String> SETTINGS =
      List.of(
          "tables.\"shop.customers\".partition-by=[\"bucket(2, id)\", \"truncate(1, name)\"]",
          // Steps of 5.00; day 2 doubles prices.
          "tables.\"shop.order_items\".partition-by=[\"truncate(500, price)\"]");

  @TempDir private Path folder;

  @ParameterizedTest(name = "format {1}, {0}")
  @CsvSource({"ATOMIC_REST, 3", "ORDERED_HADOOP, 2"})
  void rowsThatChangePartitionAreInOnePlaceOnly(Store store, int format) {
    try (ShopRun run = ShopRun.start(folder, store, format, SETTINGS)) {
      run.land(Form.PLAIN, 1, TABLES);
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      check(run, 1);
      Map<String, Map<String, Object>> before = run.rows("order_items").byKey();
      run.land(Form.PLAIN, 2, TABLES);
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      check(run, 2);

      Map<String, Map<String, Object>> after = run.rows("order_items").byKey();
      assertThat(before.keySet().stream().filter(key -> step(before, key) != step(after, key)))
          .as("rows that changed partition")
          .isNotEmpty();
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.NOTHING_NEW);
    }
  }

  private static int step(Map<String, Map<String, Object>> rows, String key) {
    return ((BigDecimal) rows.get(key).get("price")).intValue() / 5;
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
