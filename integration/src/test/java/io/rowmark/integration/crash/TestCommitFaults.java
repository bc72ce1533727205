package io.rowmark.integration.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.crash.FaultyProxy.Fault;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.TableSpec.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The network between a batch and its catalog fails during the multi-table commit. */
class TestCommitFaults {
  @TempDir private static Path folder;
  private static EmbeddedCatalog embedded;
  private static FaultyProxy proxy;
  private static Rounds rounds;
  private static Survivor batches;

  @BeforeAll
  static void loadFirstRound() throws IOException {
    embedded = EmbeddedCatalog.start(folder.resolve("catalog"), 0);
    proxy = FaultyProxy.before(embedded.uri());
    Map<String, String> properties = new HashMap<>(embedded.clientProperties());
    properties.put("uri", proxy.uri());
    LocalCatalog catalog = LocalSpark.catalog(properties);
    Path landing = folder.resolve("landing");
    rounds = new Rounds(landing);
    batches =
        new Survivor(
            new Scene(landing, catalog.name(), properties, CommitSpec.Mode.AUTO, 3, Mode.KEYED),
            catalog,
            rounds);
    rounds.land();
    assertThat(batches.run().protocol()).isEqualTo("atomic");
  }

  @AfterAll
  static void stop() {
    proxy.close();
    embedded.close();
  }

  @BeforeEach
  void land() {
    rounds.land();
  }

  @AfterEach
  void everyFaultWasMet() {
    assertThat(proxy.left()).as("faults that were not met").isZero();
  }

  @Test
  void commitWhoseAnswerIsLostIsFoundInTheTables() {
    proxy.spoil(Fault.ANSWER_LOST);

    BatchReport report = batches.run();

    assertThat(report.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(report.attempts()).isEqualTo(1);
    batches.assertAsLanded();
  }

  @Test
  void commitAnsweredWithUnavailableIsFoundInTheTables() {
    proxy.spoil(Fault.UNAVAILABLE_AFTERWARDS);

    BatchReport report = batches.run();

    assertThat(report.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(report.attempts()).isEqualTo(1);
    batches.assertAsLanded();
  }

  @Test
  void conflictIsFollowedByAnotherAttempt() {
    proxy.spoil(Fault.CONFLICT);

    BatchReport report = batches.run();

    assertThat(report.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(report.attempts()).isEqualTo(2);
    batches.assertAsLanded();
  }

  @Test
  void conflictsWithoutEndFailAndLeaveTheTablesAsTheyWere() {
    proxy.spoil(Fault.CONFLICT, Fault.CONFLICT, Fault.CONFLICT);
    Map<String, Long> before = batches.snapshots();

    RowmarkException failure = failure();

    assertThat(failure.category()).isEqualTo(Category.CONFLICT);
    assertThat(failure)
        .hasMessageContaining("3 attempts were refused")
        .hasMessageContaining("made up by the test")
        .hasMessageContaining("raise commit.attempts");
    assertThat(batches.snapshots()).isEqualTo(before);
    batches.assertConverges();
  }

  @Test
  void requestThatNeverArrivedLeavesTheOutcomeOpenAndTheNextRunLandsIt() {
    proxy.spoil(Fault.REQUEST_LOST);
    Map<String, Long> before = batches.snapshots();

    assertUnknown(failure());

    assertThat(batches.snapshots()).isEqualTo(before);
    batches.assertConverges();
  }

  @Tag("long")
  @Test
  void requestThatArrivesAfterTheRunHasGivenUpIsNotRepeated() throws IOException {
    proxy.spoil(Fault.REQUEST_LATE);

    assertUnknown(failure());

    assertThat(proxy.deliverLate()).isEqualTo(204);
    batches.assertAsLanded();
    assertThat(batches.run().outcome()).isEqualTo(Outcome.NOTHING_NEW);
    batches.assertAsLanded();
  }

  @Test
  void requestThatArrivesAfterTheNextRunIsRefused() throws IOException {
    proxy.spoil(Fault.REQUEST_LATE);

    assertUnknown(failure());

    batches.assertConverges();
    assertThat(proxy.deliverLate()).isEqualTo(409);
    batches.assertAsLanded();
  }

  private static RowmarkException failure() {
    return catchThrowableOfType(RowmarkException.class, () -> batches.run());
  }

  private static void assertUnknown(RowmarkException failure) {
    assertThat(failure.category()).isEqualTo(Category.UNKNOWN_COMMIT);
    assertThat(failure.retryHelps()).isTrue();
    assertThat(failure)
        .hasMessageContaining("whether it landed is not known")
        .hasMessageContaining("Nothing was removed")
        .hasMessageContaining("in the summaries of the snapshots of shop.accounts, shop.history")
        .hasMessageContaining("run again: a batch that landed is recognized");
  }
}
