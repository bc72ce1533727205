package io.rowmark.integration.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.crash.FaultyProxy.Fault;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.TableSpec.Mode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ordered commit of the table without a key is on its way for so long that the next run has
 * given it up. Rows that were brought twice would stay in this table.
 */
class TestLateCommits {
  @TempDir private static Path folder;
  private static EmbeddedCatalog embedded;
  private static FaultyProxy proxy;
  private static Rounds rounds;
  private static Survivor batches;

  @BeforeAll
  static void loadFirstRound() throws IOException {
    embedded = EmbeddedCatalog.start(folder.resolve("catalog"), 0);
    proxy = FaultyProxy.before(embedded.uri(), TableIdentifier.parse(Scene.HISTORY));
    Map<String, String> properties = new HashMap<>(embedded.clientProperties());
    properties.put("uri", proxy.uri());
    LocalCatalog catalog = LocalSpark.catalog(properties);
    Path landing = folder.resolve("landing");
    rounds = new Rounds(landing);
    batches =
        new Survivor(
            new Scene(landing, catalog.name(), properties, CommitSpec.Mode.ORDERED, 3, Mode.KEYED),
            catalog,
            rounds);
    rounds.land();
    batches.run();
  }

  @AfterAll
  static void stop() {
    proxy.close();
    embedded.close();
  }

  @BeforeEach
  void sendACommitThatDoesNotArrive() {
    rounds.land();
    proxy.spoil(Fault.REQUEST_LATE);
    assertThat(catchThrowableOfType(RowmarkException.class, batches::run).category())
        .isEqualTo(Category.UNKNOWN_COMMIT);
    // more inputs: what the next run makes of them is another batch
    rounds.land();
  }

  /** Lets the request arrive when a batch comes to a point for the first time. */
  private static final class Arrival implements StepListener {
    private final Checkpoint at;
    private boolean arrived;

    Arrival(Checkpoint at) {
      this.at = at;
    }

    @Override
    public void reached(Checkpoint checkpoint) {
      if (checkpoint == at && !arrived) {
        arrived = true;
        try {
          assertThat(proxy.deliverLate()).as("answer to the late request").isEqualTo(200);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    @Override
    public void stepFinished(Step step, String summary, Duration time) {}
  }

  @Test
  void whatLandsAfterTheNextRunHasChosenItsInputsIsNotBroughtTwice() {
    assertRecognized(batches.run(new Arrival(StepListener.Checkpoint.INPUTS_LISTED)));
  }

  @Tag("long")
  @Test
  void whatLandsAfterTheNextRunHasOpenedItsTablesIsNotBroughtTwice() {
    assertRecognized(batches.run(new Arrival(StepListener.Checkpoint.TABLES_OPENED)));
  }

  @Tag("long")
  @Test
  void whatLandsBetweenTwoRunsIsNotBroughtTwice() throws IOException {
    assertThat(proxy.deliverLate()).isEqualTo(200);
    assertThat(batches.run().attempts()).isEqualTo(1);
    batches.assertAsLanded();
  }

  private static void assertRecognized(BatchReport report) {
    assertThat(report.outcome()).isEqualTo(Outcome.COMMITTED);
    batches.assertAsLanded();
    assertThat(report.attempts()).isEqualTo(2);
    assertThat(batches.run().outcome()).isEqualTo(Outcome.NOTHING_NEW);
  }
}
