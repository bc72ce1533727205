package io.rowmark.integration.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.integration.shop.CapturedStream.Form;
import io.rowmark.integration.shop.ShopRun.Store;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Outcome;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.spark.actions.SparkActions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A batch on top of a compaction that Rowmark knows nothing of. */
class TestForeignCompaction {
  private static final List<String> TABLES = List.of("customers", "order_items");

  @TempDir private Path folder;

  @ParameterizedTest(name = "format {1}, {0}")
  @CsvSource({"ATOMIC_REST, 3", "ORDERED_HADOOP, 2"})
  void theIndexCatchesUpAndTheTableEndsAsItsSource(Store store, int format) {
    try (ShopRun run = ShopRun.start(folder, store, format, List.of())) {
      run.land(Form.PLAIN, 1, TABLES);
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      TABLES.forEach(
          table ->
              SparkActions.get(run.spark())
                  .rewriteDataFiles(run.table(table))
                  .option("rewrite-all", "true")
                  .execute());
      run.land(Form.PLAIN, 2, TABLES);
      BatchReport report = run.ingest();
      assertThat(report.outcome()).isEqualTo(Outcome.COMMITTED);
      for (String table : TABLES) {
        assertThat(notes(report, table))
            .anySatisfy(
                note ->
                    assertThat(note)
                        .startsWith("reconciled index shop.%s__rowmark_index in ".formatted(table))
                        .contains(" 1 data files gone, 1 read, 0 with new deletes; "));
        assertThat(run.expected(table, 2).differences(run.rows(table)))
            .containsExactlyInAnyOrderElementsOf(KnownDifferences.of(run, Form.PLAIN, table, 2));
        TableOracle.check(run, table);
      }
    }
  }

  private static List<String> notes(BatchReport report, String table) {
    return report.tables().stream()
        .filter(found -> found.table().equals("shop." + table))
        .findFirst()
        .orElseThrow()
        .notes();
  }
}
