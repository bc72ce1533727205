package io.rowmark.integration.cut;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * After every batch the tables are what the source was after one of its transactions, while the
 * files that feed them end anywhere.
 */
class TestSourceTransactions {
  private static final String BY_ENDS =
      "source.transactions { cut = transactions, topic = shop.public.transaction }\n";
  private static final String BY_POSITION =
      "source.transactions { cut = log-position, settle = 1 hour }\n";
  private static final Duration NEW = Duration.ZERO;
  private static final Duration OLD = Duration.ofHours(2);

  @TempDir private static Path catalogFolder;
  private static EmbeddedCatalog embedded;
  private static int runs;

  @TempDir private Path folder;
  private Topics topics;
  private ShopTables shop;

  @BeforeAll
  static void startCatalog() {
    LocalSpark.session();
    embedded = EmbeddedCatalog.start(catalogFolder, 0);
  }

  @AfterAll
  static void stopCatalog() {
    embedded.close();
  }

  @BeforeEach
  void makeShop() throws IOException {
    topics = new Topics(folder.resolve("landing"));
    shop = shop(SourceLog.TABLES);
  }

  private ShopTables shop(List<String> tables) {
    return new ShopTables(folder, embedded.clientProperties(), "cut" + ++runs, tables);
  }

  private void ingest(String settings) throws IOException {
    assertThat(shop.run(settings, "ingest")).as(shop.said()).isZero();
  }

  /** How many transactions the tables hold: all of each, and none that ended after another. */
  private int whole(SourceLog log, List<String> tables, int least) {
    List<String> rows = shop.rows();
    for (int count = least; count <= log.transactions().size(); count++) {
      if (log.rowsAfter(count, tables).equals(rows)) {
        return count;
      }
    }
    assertThat(rows).as("after one of the transactions from %d on", least).isEmpty();
    return -1;
  }

  private void landAll(Duration age) throws IOException {
    for (String topic : topics.names()) {
      topics.land(topic, topics.waiting(topic), age);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 10000, 50000", "2, 1, 50000", "3, 2, 0"})
  void everyBatchEndsBetweenTransactionsWhereverFilesEnd(long seed, int files, int onDriver)
      throws IOException {
    Random random = new Random(seed);
    SourceLog log = new SourceLog(random);
    String settings =
        BY_ENDS + "batch { max-files = %d, driver-events = %d }\n".formatted(files, onDriver);
    int whole = 0;
    for (int round = 0; round < 6; round++) {
      for (int i = 0; i < 4; i++) {
        topics.add(log.next());
      }
      for (String topic : topics.names()) {
        topics.land(topic, random.nextInt(topics.waiting(topic) + 1), NEW);
      }
      ingest(settings);
      whole = whole(log, SourceLog.TABLES, whole);
    }
    landAll(NEW);

    for (int more = 0; whole < log.transactions().size(); more++) {
      assertThat(more).as("batches for what is left, seed %d", seed).isLessThan(60);
      ingest(settings);
      whole = whole(log, SourceLog.TABLES, whole);
    }

    List<String> ledger = shop.ledger("shop.public.transaction");
    ingest(settings);
    assertThat(shop.said()).contains("no new inputs").doesNotContain("wait");
    assertThat(shop.ledger("shop.public.transaction")).isEqualTo(ledger);
  }

  @ParameterizedTest
  @CsvSource({"4, 10000, 50000", "5, 10000, 0", "6, 1, 50000"})
  void everyBatchEndsAtOnePositionWhereTheSourceTellsOfNoTransactions(
      long seed, int files, int onDriver) throws IOException {
    Random random = new Random(seed);
    SourceLog log = new SourceLog(random);
    String settings =
        BY_POSITION + "batch { max-files = %d, driver-events = %d }\n".formatted(files, onDriver);
    int whole = 0;
    int last = 0;
    for (int round = 0; round < 5; round++) {
      topics.age(OLD);
      landAll(NEW);
      for (int i = 0; i < 4; i++) {
        topics.add(log.next());
      }
      for (String topic : topics.names()) {
        topics.land(topic, random.nextInt(topics.waiting(topic) + 1), NEW);
      }
      ingest(settings);
      whole = whole(log, SourceLog.TABLES, whole);
      last = round == 2 ? whole : last;
    }
    assertThat(last).as("transactions in the tables while others wait").isPositive();
    assertThat(whole).isLessThan(log.transactions().size());

    landAll(NEW);
    topics.age(OLD);
    ingest(settings);
    assertThat(whole(log, SourceLog.TABLES, whole)).isEqualTo(log.transactions().size());
  }

  @Test
  void withoutTheCutATransactionIsSeenInHalves() throws IOException {
    SourceLog log = new SourceLog(new Random(6));
    topics.add(log.next());
    topics.land("parents", topics.waiting("parents"), NEW);
    topics.land("journal", topics.waiting("journal"), NEW);

    ingest("");

    assertThat(shop.rows())
        .isNotEmpty()
        .isNotEqualTo(log.rowsAfter(1, SourceLog.TABLES))
        .noneMatch(row -> row.startsWith("children"));
  }

  @Test
  void whatAnEarlierBatchLeftIsTakenOnceWhenTheCutIsTurnedOff() throws IOException {
    SourceLog log = new SourceLog(new Random(7));
    topics.add(log.next());
    topics.add(log.next());
    landAll(NEW);
    topics.add(log.next());
    for (String topic : SourceLog.TABLES) {
      topics.land(topic, topics.waiting(topic), NEW);
    }
    ingest(BY_ENDS);
    assertThat(shop.said()).contains("1 source transactions wait for their end");
    assertThat(whole(log, SourceLog.TABLES, 0)).isEqualTo(2);

    ingest("");

    assertThat(whole(log, SourceLog.TABLES, 2)).isEqualTo(3);
  }

  @Test
  void theFirstTransactionThatLacksAChangeIsNamedAndLaterOnesWaitForIt() throws IOException {
    SourceLog log = new SourceLog(new Random(8));
    topics.add(log.next());
    topics.add(log.next());
    topics.land("parents", topics.waiting("parents"), NEW);
    topics.land("journal", topics.waiting("journal"), NEW);
    topics.land(Topics.ENDS, topics.waiting(Topics.ENDS), NEW);

    ingest(BY_ENDS);

    assertThat(shop.said())
        .contains("2 source transactions wait, transaction 1 has 0 of its")
        .contains("changes of public.children");
    assertThat(shop.rows()).isEmpty();
  }

  @Test
  void aSourceThatRepeatsItselfAfterARestartHoldsNothingUp() throws IOException {
    List<String> keyed = List.of("parents", "children");
    shop = shop(keyed);
    SourceLog log = new SourceLog(new Random(9));
    for (int i = 0; i < 3; i++) {
      topics.add(log.next());
    }
    landAll(NEW);
    ingest(BY_ENDS);
    assertThat(whole(log, keyed, 0)).isEqualTo(3);

    // the last transaction comes again, but for its first change of each table
    topics.add(log.transactions().get(2));
    topics.drop("parents");
    topics.drop("children");
    topics.add(log.next());
    landAll(NEW);
    // the first batch lets the repeated end wait, as if its changes were on their way
    ingest(BY_ENDS);
    ingest(BY_ENDS);

    assertThat(whole(log, keyed, 3)).isEqualTo(4);
    assertThat(shop.said()).doesNotContain("wait");
  }

  @Test
  void aPipelineMayBeCutFromSomeDayOn() throws IOException {
    SourceLog log = new SourceLog(new Random(10));
    topics.add(log.next());
    topics.add(log.next());
    landAll(NEW);
    ingest("");
    topics.add(log.next());
    landAll(NEW);

    ingest(BY_ENDS);

    assertThat(whole(log, SourceLog.TABLES, 2)).isEqualTo(3);
    assertThat(shop.said()).doesNotContain("wait");
  }

  @Test
  void changesThatLandAfterTheirEndWasTakenAreNotLost() throws IOException {
    SourceLog log = new SourceLog(new Random(13));
    topics.add(log.next());
    landAll(NEW);
    ingest("");
    topics.add(log.next());
    topics.land(Topics.ENDS, topics.waiting(Topics.ENDS), NEW);
    Runnable later = topics.postpone();
    topics.add(log.next());
    landAll(NEW);
    // the second transaction looks like one from before the cut
    ingest(BY_ENDS);
    later.run();
    landAll(NEW);

    ingest(BY_ENDS);
    ingest(BY_ENDS);

    assertThat(whole(log, SourceLog.TABLES, 0)).isEqualTo(3);
    assertThat(shop.said()).doesNotContain("wait");
  }

  @Test
  void anOrderedCommitCannotKeepThePromise() throws IOException {
    topics.add(new SourceLog(new Random(11)).next());
    landAll(NEW);

    assertThat(shop.run(BY_ENDS + "commit.mode = ordered\n", "ingest")).isEqualTo(3);

    assertThat(shop.said())
        .contains("source.transactions.cut promises", "commit.mode is ordered", "= anywhere");
  }

  @Test
  void metadataThatIsNoneIsRefusedWithItsPlace() throws IOException {
    topics.add(new SourceLog(new Random(12)).next());
    landAll(NEW);
    String settings = BY_ENDS.replace("shop.public.transaction", "shop.public.parents");

    assertThat(shop.run(settings, "ingest")).isEqualTo(4);

    assertThat(shop.said())
        .contains("Record 1 of 'shop.public.parents/", "is no transaction metadata of Debezium");
    assertThat(shop.rows()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "source.transactions.cut = transactions|source.transactions.topic is missing",
        "source.transactions.topic = a.b|only cut = transactions reads it",
        "source.transactions { cut = log-position, settle = soon }|must be a length of time",
        "source { envelope = maxwell, transactions { cut = transactions, topic = t } }|of the"
            + " envelope maxwell name none",
        "source { envelope = iceberg-changelog, transactions.cut = log-position }|gives no order"
      })
  void settingsThatDoNotFitAreRefused(String settings, String message) throws IOException {
    assertThat(shop.run(settings + "\n", "ingest")).isEqualTo(3);
    assertThat(shop.said()).contains(message);
  }
}
