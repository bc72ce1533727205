package io.rowmark.integration.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.crash.FaultyProxy.Fault;
import io.rowmark.integration.crash.FaultyProxy.Target;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.TableSpec.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.CatalogUtil;

/** Batches of one pipeline, each of which meets a fault at one of its requests to the catalog. */
final class FaultRun implements AutoCloseable {
  private final EmbeddedCatalog embedded;
  private final FaultyProxy proxy;
  private final Rounds rounds;
  private final Survivor batches;
  private final TablesAtRest tables;
  private final List<Target> requests;

  private FaultRun(EmbeddedCatalog embedded, FaultyProxy proxy, Rounds rounds, Survivor batches) {
    this.embedded = embedded;
    this.proxy = proxy;
    this.rounds = rounds;
    this.batches = batches;
    this.tables =
        new TablesAtRest(
            CatalogUtil.buildIcebergCatalog(
                "at-rest",
                embedded.clientProperties(),
                LocalSpark.session().sparkContext().hadoopConfiguration()));
    cleanBatch();
    this.requests = cleanBatch();
  }

  /** Loads two rounds. The second shows what a batch asks of the catalog. */
  static FaultRun start(Path folder, CommitSpec.Mode mode) throws IOException {
    EmbeddedCatalog embedded = EmbeddedCatalog.start(folder.resolve("catalog"), 0);
    FaultyProxy proxy = FaultyProxy.before(embedded.uri());
    Map<String, String> properties = new HashMap<>(embedded.clientProperties());
    properties.put("uri", proxy.uri());
    properties.put("rest.client.max-retries", "1");
    properties.put("rest.client.socket-timeout-ms", "2000");
    LocalCatalog catalog = LocalSpark.catalog(properties);
    Path landing = folder.resolve("landing");
    Rounds rounds = new Rounds(landing);
    Scene scene = new Scene(landing, catalog.name(), properties, mode, 3, Mode.KEYED);
    return new FaultRun(embedded, proxy, rounds, new Survivor(scene, catalog, rounds));
  }

  private List<Target> cleanBatch() {
    rounds.land();
    proxy.forget();
    assertThat(batches.run().outcome()).isEqualTo(Outcome.COMMITTED);
    return proxy.targets();
  }

  /** The requests of a batch, in their order. */
  List<Target> requests() {
    return requests;
  }

  /** Lands a round. Its batch meets the fault; what it leaves behind is ended by the next run. */
  void suffer(Target target, Fault fault) {
    Map<Long, Long> accountsBefore = new TreeMap<>(rounds.accounts());
    List<Long> historyBefore = List.copyOf(rounds.history());
    rounds.land();
    proxy.spoil(target, fault);
    try {
      assertThat(batches.run().outcome()).isEqualTo(Outcome.COMMITTED);
    } catch (RowmarkException e) {
      assertThat(e.category())
          .as("category of: %s", e.getMessage())
          .isIn(
              target.request().method().equals("POST")
                  ? List.of(Category.UNKNOWN_COMMIT, Category.CONFLICT)
                  : List.of(Category.CONFIG, Category.UNKNOWN_COMMIT));
      assertThat(e.retryHelps()).as("a retry helps after: %s", e.getMessage()).isTrue();
      assertThat(tables.accounts()).isIn(accountsBefore, rounds.accounts());
      assertThat(tables.history()).isIn(historyBefore, rounds.history());
      tables.assertFiles();
      batches.run();
    } finally {
      assertThat(proxy.left()).as("faults that were not met").isZero();
    }
    assertThat(tables.accounts()).isEqualTo(rounds.accounts());
    assertThat(tables.history()).isEqualTo(rounds.history());
    if (tables.indexIsBehind()) {
      // the rows are in, the index was refused and knows it: the next batch brings it up to date
      assertThat(target.request().path()).endsWith(Scene.ACCOUNTS_INDEX.replaceFirst(".*\\.", ""));
      rounds.land();
      assertThat(batches.run().outcome()).isEqualTo(Outcome.COMMITTED);
      assertThat(tables.accounts()).isEqualTo(rounds.accounts());
    }
    tables.assertIndexAgrees();
    tables.assertLedger(2 * rounds.files());
    tables.assertFiles();
  }

  /** As Spark and the verification of the index see it; and nothing is left to do. */
  void assertAtRest() {
    batches.assertAsLanded();
    assertThat(batches.run().outcome()).isEqualTo(Outcome.NOTHING_NEW);
  }

  @Override
  public void close() {
    proxy.close();
    embedded.close();
  }
}
