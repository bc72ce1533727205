package io.rowmark.app.embedded;

import static io.rowmark.app.embedded.CatalogClient.INDEX;
import static io.rowmark.app.embedded.CatalogClient.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writers that collide on purpose. Live files are counted, not snapshots: a lost update leaves a
 * snapshot behind but not its file.
 *
 * <p>Seen to fail when the compare-and-swap condition is taken out of the SQL of {@link
 * TransactionCommit}.
 */
class TestTransactionStress {
  private static final int PAIR_WRITERS = 3;
  private static final int PAIRS_EACH = 25;
  private static final int SINGLES = 40;

  /** In these rounds all writers stand on the same snapshots before one commits: they collide. */
  private static final int MEET_EVERY = 5;

  private final CyclicBarrier allStaged = new CyclicBarrier(PAIR_WRITERS);
  private final CountDownLatch singlesDone = new CountDownLatch(1);
  private final Set<String> pairsAccepted = ConcurrentHashMap.newKeySet();
  private final Set<String> pairsRefused = ConcurrentHashMap.newKeySet();
  private final Set<String> singlesAccepted = ConcurrentHashMap.newKeySet();

  @Test
  void everyAcceptedPairIsInBothTablesAndNoneIsHalfApplied(@TempDir Path directory)
      throws Exception {
    try (EmbeddedCatalog server = EmbeddedCatalog.start(directory, 0)) {
      try (CatalogClient client = CatalogClient.of(server)) {
        client.createTwoTables();
      }
      run(server);
    }

    try (EmbeddedCatalog reopened = EmbeddedCatalog.start(directory, 0);
        CatalogClient client = CatalogClient.of(reopened)) {
      Set<String> both = new HashSet<>(pairsAccepted);
      both.addAll(singlesAccepted);
      assertThat(pairs(client.liveFiles(ORDERS))).isEqualTo(pairsAccepted);
      assertThat(pairs(client.liveFiles(INDEX))).isEqualTo(pairsAccepted);
      Set<String> live = new HashSet<>(client.liveFiles(ORDERS));
      live.addAll(client.liveFiles(INDEX));
      assertThat(live).isEqualTo(both);
    }
    // Without collisions the run would prove nothing.
    assertThat(pairsAccepted).isNotEmpty();
    assertThat(pairsRefused).isNotEmpty();
    assertThat(singlesAccepted).isNotEmpty();
  }

  private void run(EmbeddedCatalog server) throws Exception {
    List<Callable<Void>> writers = new ArrayList<>();
    for (int writer = 0; writer < PAIR_WRITERS; writer++) {
      int number = writer;
      writers.add(() -> writePairs(server, number));
    }
    writers.add(() -> writeSingles(server));
    ExecutorService threads = Executors.newFixedThreadPool(writers.size());
    try {
      for (Future<Void> writer : threads.invokeAll(writers)) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Void writePairs(EmbeddedCatalog server, int writer) throws Exception {
    try (CatalogClient client = CatalogClient.of(server)) {
      for (int i = 0; i < PAIRS_EACH; i++) {
        writePair(client, writer, i, i % MEET_EVERY == 0 ? allStaged : null);
      }
      // A fast writer of singles may win against every pair so far: among pairs alone one wins.
      singlesDone.await();
      writePair(client, writer, PAIRS_EACH, allStaged);
    }
    return null;
  }

  private void writePair(
      CatalogClient client, int writer, int number, @Nullable CyclicBarrier meeting)
      throws Exception {
    String name = "pair-" + writer + "-" + number;
    TableCommit orders = client.stagedAppend(ORDERS, name);
    TableCommit index = client.stagedAppend(INDEX, name);
    if (meeting != null) {
      meeting.await(1, TimeUnit.MINUTES);
    }
    try {
      // The writers name the tables in different orders, as a deadlock would need.
      client.commit(writer % 2 == 0 ? orders : index, writer % 2 == 0 ? index : orders);
      pairsAccepted.add(name);
    } catch (CommitFailedException e) {
      pairsRefused.add(name);
    }
  }

  private Void writeSingles(EmbeddedCatalog server) {
    try (CatalogClient client = CatalogClient.of(server)) {
      for (int i = 0; i < SINGLES; i++) {
        String name = "single-" + i;
        TableIdentifier table = i % 2 == 0 ? ORDERS : INDEX;
        try {
          client.append(table, name);
          singlesAccepted.add(name);
        } catch (CommitFailedException e) {
          // refused after the client's own retries: must not be visible
        }
      }
    } finally {
      singlesDone.countDown();
    }
    return null;
  }

  private static Set<String> pairs(Set<String> files) {
    Set<String> pairs = new HashSet<>(files);
    pairs.removeIf(name -> !name.startsWith("pair-"));
    return pairs;
  }
}
