package io.rowmark.integration.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.index.IndexedTable;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.index.verify.VerifyReport;
import io.rowmark.merge.BatchPipeline;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.spec.PipelineSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.spark.sql.Row;

/** Runs batches of a scene in this process, and compares the tables with what they must hold. */
final class Survivor {
  private static final List<String> TABLES =
      List.of(Scene.ACCOUNTS, Scene.ACCOUNTS_INDEX, Scene.HISTORY, Scene.LEDGER);

  private final Scene scene;
  private final LocalCatalog catalog;
  private final Rounds rounds;

  Survivor(Scene scene, LocalCatalog catalog, Rounds rounds) {
    this.scene = scene;
    this.catalog = catalog;
    this.rounds = rounds;
  }

  /** Runs the next batch. */
  BatchReport run() {
    return run(StepListener.SILENT);
  }

  /** Runs the next batch, and tells of its steps. */
  BatchReport run(StepListener listener) {
    return run(scene.pipeline(), listener);
  }

  /** Runs the next batch of another pipeline on the same catalog. */
  BatchReport run(PipelineSpec pipeline, StepListener listener) {
    return new BatchPipeline(
            pipeline, LocalSpark.session(), catalog.iceberg(), listener, report -> {})
        .run();
  }

  /** The batch that was cut off is ended by the next run, and after it nothing is left to do. */
  void assertConverges() {
    run();
    assertAsLanded();
    Map<String, Long> before = snapshots();
    assertThat(run().outcome()).isEqualTo(Outcome.NOTHING_NEW);
    assertThat(snapshots()).as("a run without input changes nothing").isEqualTo(before);
  }

  /** Every input is in its table once, the index agrees, and no file is missing. */
  void assertAsLanded() {
    Map<Long, Long> accounts = new TreeMap<>();
    List<Row> rows = rows("SELECT id, amount FROM " + spark(Scene.ACCOUNTS));
    rows.forEach(row -> accounts.put(row.getLong(0), row.getLong(1)));
    assertThat(rows).as("no key twice").hasSameSizeAs(accounts.keySet());
    assertThat(accounts).isEqualTo(rounds.accounts());
    assertThat(rows("SELECT id FROM " + spark(Scene.HISTORY) + " ORDER BY id"))
        .extracting(row -> row.getLong(0))
        .isEqualTo(rounds.history());
    assertIndexAgrees();
    assertLedger();
    for (String name : TABLES) {
      assertThat(missingFiles(table(name))).as("files of %s that are gone", name).isEmpty();
    }
  }

  private void assertIndexAgrees() {
    IndexedTable names =
        new IndexedTable(
            catalog.iceberg(),
            catalog.name(),
            TableIdentifier.parse(Scene.ACCOUNTS),
            TableIdentifier.parse(Scene.ACCOUNTS_INDEX),
            List.of("id"));
    VerifyReport report = IndexVerifier.verify(LocalSpark.session(), names);
    assertThat(report.differences()).isEmpty();
    assertThat(report.rowsInTable()).isEqualTo(rounds.accounts().size());
  }

  private void assertLedger() {
    List<Row> inputs =
        rows(
            ("SELECT table_name, input, max_by(status, recorded_at),"
                    + " count_if(status = 'DONE') FROM %s GROUP BY table_name, input")
                .formatted(spark(Scene.LEDGER)));
    assertThat(inputs).as("inputs in the ledger").hasSize(2 * rounds.files());
    assertThat(inputs)
        .allSatisfy(
            row -> {
              assertThat(row.getString(2)).as("last status of %s", row).isEqualTo("DONE");
              assertThat(row.getLong(3)).as("times done, of %s", row).isEqualTo(1);
            });
  }

  /** Snapshot ids of all tables; nothing for a table that does not exist. */
  Map<String, Long> snapshots() {
    Map<String, Long> ids = new LinkedHashMap<>();
    for (String name : TABLES) {
      if (catalog.iceberg().tableExists(TableIdentifier.parse(name))) {
        Snapshot head = table(name).currentSnapshot();
        ids.put(name, head == null ? null : head.snapshotId());
      }
    }
    return ids;
  }

  private Table table(String name) {
    return catalog.iceberg().loadTable(TableIdentifier.parse(name));
  }

  private static List<String> missingFiles(Table table) {
    List<String> paths = new ArrayList<>();
    for (Snapshot snapshot : table.snapshots()) {
      paths.add(snapshot.manifestListLocation());
      for (ManifestFile manifest : snapshot.allManifests(table.io())) {
        paths.add(manifest.path());
      }
      try (CloseableIterable<FileScanTask> tasks =
          table.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
        for (FileScanTask task : tasks) {
          paths.add(task.file().location());
          task.deletes().stream().map(DeleteFile::location).forEach(paths::add);
        }
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
    return paths.stream()
        .distinct()
        .filter(path -> !table.io().newInputFile(path).exists())
        .toList();
  }

  private List<Row> rows(String sql) {
    return LocalSpark.session().sql(sql).collectAsList();
  }

  private String spark(String table) {
    return catalog.name() + "." + table;
  }
}
