package io.rowmark.integration.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rowmark.integration.live.LiveRun.Ended;
import io.rowmark.integration.live.LiveShop.Cut;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * PostgreSQL under load, Debezium, and batch after batch beside them: in the end the tables are
 * PostgreSQL's, and on the way every batch shows whole source transactions only.
 *
 * <p>{@code -Drowmark.live.seconds} says how long PostgreSQL works.
 */
@Tag("long")
class TestLivePostgres {
  private static final int SECONDS = Integer.getInteger("rowmark.live.seconds", 120);
  private static final int CONTROL_SECONDS = Math.min(30, SECONDS);

  @TempDir private Path folder;

  @BeforeAll
  static void needsPostgres() {
    assumeTrue(
        PostgresServer.installed().isPresent(),
        "PostgreSQL is not installed: 'apt-get install postgresql', or name the folder of its"
            + " programs in ROWMARK_TEST_POSTGRES");
  }

  @Test
  void batchesCutAnywhereShowHalfTransactionsOnTheWay() throws Exception {
    try (LiveRun run = LiveRun.start(folder, Cut.ANYWHERE)) {
      Ended ended = run.follow(CONTROL_SECONDS);
      publish("anywhere", ended);
      assertInputWasTorn(ended);
      assertThat(ended.seen().wrongBatches()).as("batches with half a transaction").isPositive();
      assertEndsAsPostgres(run, ended);
    }
  }

  @Test
  void noBatchShowsHalfATransaction() throws Exception {
    try (LiveRun run = LiveRun.start(folder, Cut.AT_TRANSACTIONS)) {
      Ended ended = run.follow(SECONDS);
      publish("transactions", ended);
      assertInputWasTorn(ended);
      assertThat(ended.seen().violations())
          .allSatisfy((batch, found) -> assertThat(found).as("batch %s", batch).isEmpty());
      assertEndsAsPostgres(run, ended);
    }
  }

  private static void publish(String cut, Ended ended) {
    System.out.printf(
        "live run, cut %s: %d batches, %d of them with half a transaction; inputs %s, %d torn; "
            + "%d looks between two batches; transactions of the shop %s%n",
        cut,
        ended.seen().violations().size(),
        ended.seen().wrongBatches(),
        ended.inputs(),
        ended.tornInputs(),
        ended.seen().loaded(),
        ended.deeds());
    ended.seen().violations().values().stream()
        .filter(found -> !found.isEmpty())
        .findFirst()
        .ifPresent(found -> System.out.println("the first: " + found));
  }

  /** Without this the run would prove nothing. */
  private static void assertInputWasTorn(Ended ended) {
    assertThat(ended.tornInputs())
        .as("batches that found the end of a transaction without all of its events")
        .isPositive();
  }

  private static void assertEndsAsPostgres(LiveRun run, Ended ended) throws SQLException {
    assertThat(ended.seen().torn()).as("what was loaded while no batch landed").isEmpty();
    assertThat(ended.seen().loaded()).as("looks between two batches").isPositive();
    List<List<String>> states = List.copyOf(ended.seen().violations().values());
    assertThat(states).as("batches").hasSizeGreaterThan(2);
    assertThat(states.get(states.size() - 1)).as("the last batch").isEmpty();
    for (String table : LiveShop.tables()) {
      assertThat(SourceRows.assertSame(run.server(), table, run.shop().table(table)))
          .as("rows of %s", table)
          .isPositive();
    }
    run.shop().verifyIndexes();
    assertThat(run.shop().ingest()).as("something new after the end").isFalse();
  }
}
