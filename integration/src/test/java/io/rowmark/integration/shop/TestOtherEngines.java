package io.rowmark.integration.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.integration.engine.Answer;
import io.rowmark.integration.engine.PythonEngine;
import io.rowmark.integration.engine.PythonEngine.Ended;
import io.rowmark.integration.engine.PythonEngine.Source;
import io.rowmark.integration.shop.CapturedStream.Form;
import io.rowmark.integration.shop.ShopRun.Store;
import io.rowmark.merge.report.BatchReport.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PyIceberg and DuckDB read the same typed values as PostgreSQL had, on both format versions. */
@Tag("long")
class TestOtherEngines {
  @TempDir private Path folder;

  @ParameterizedTest(name = "format {0}")
  @ValueSource(ints = {2, 3})
  void engineOtherThanSparkReadsTheFinalTables(int format) {
    try (ShopRun run = ShopRun.start(folder, Store.ATOMIC_REST, format, List.of())) {
      for (int day = 1; day <= 2; day++) {
        run.land(Form.PLAIN, day, ShopRun.KEYED);
        assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      }
      deletesArePresent(run);
      reads(PythonEngine.PYICEBERG, run, format);
      reads(PythonEngine.DUCKDB, run, format);
    }
  }

  private void reads(PythonEngine engine, ShopRun run, int format) {
    Map<String, Source> tables = new LinkedHashMap<>();
    ShopRun.KEYED.forEach(table -> tables.put(table, Source.of(run.table(table))));
    Path output = folder.resolve(engine.script());
    try {
      Files.createDirectory(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, Answer> answers = engine.read(tables, output);
    for (String table : ShopRun.KEYED) {
      TableRows actual = TableRows.of(table, run.spec(table).key(), answers.get(table).rows());
      assertThat(run.expected(table, 2).differences(actual))
          .as("%s of format %d by %s", table, format, engine.script())
          .containsExactlyInAnyOrderElementsOf(KnownDifferences.of(run, Form.PLAIN, table, 2));
      assertThat(run.rows(table).differences(actual))
          .as("%s by %s against Iceberg's own reader, dropped columns too", table, engine.script())
          .isEmpty();
    }
  }

  /** The Parquet files alone hold more rows than the tables: the engines did apply the deletes. */
  private static void deletesArePresent(ShopRun run) {
    for (String table : List.of("pgbench_accounts", "customers", "order_items", "type_zoo")) {
      List<String> files = new ArrayList<>();
      try (CloseableIterable<FileScanTask> tasks = run.table(table).newScan().planFiles()) {
        tasks.forEach(task -> files.add(path(task.file().location())));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Ended counted = PythonEngine.run("count_parquet.py", files);
      assertThat(counted.code()).as(counted.output()).isZero();
      assertThat(Integer.parseInt(counted.output().strip()))
          .as("rows in the Parquet files of %s", table)
          .isGreaterThan(run.rows(table).byKey().size());
    }
  }

  private static String path(String location) {
    return location.startsWith("file:") ? URI.create(location).getPath() : location;
  }
}
