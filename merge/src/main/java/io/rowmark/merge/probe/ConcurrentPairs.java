package io.rowmark.merge.probe;

import static io.rowmark.merge.probe.Trial.unknown;
import static io.rowmark.merge.probe.Trial.wrong;
import static io.rowmark.merge.probe.Trial.yes;

import io.rowmark.merge.probe.Trial.Seen;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.rest.RESTCatalog;

/**
 * Several writers that change two tables at once, and one that changes them one by one. A server
 * that first checks all tables and then commits one after another passes every test made in
 * sequence; only writers that come between its steps show it. Iceberg's own test server is one.
 */
record ConcurrentPairs(
    RESTCatalog catalog, ScratchTables scratch, TableIdentifier left, TableIdentifier right) {
  private static final int PAIR_WRITERS = 3;
  private static final int TRIES_EACH = 12;
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private enum Answer {
    ACCEPTED,
    REFUSED,
    UNCLEAR
  }

  private record Pair(String left, String right, Answer answer) {}

  Seen run() throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(PAIR_WRITERS + 1);
    List<Pair> pairs = new ArrayList<>();
    try {
      long end = System.nanoTime() + LONGEST.toNanos();
      List<Callable<List<Pair>>> writers = new ArrayList<>();
      for (int i = 0; i < PAIR_WRITERS; i++) {
        Order order = i % 2 == 0 ? Order.LEFT_FIRST : Order.RIGHT_FIRST;
        writers.add(() -> pairs(order, end));
      }
      writers.add(() -> singles(end));
      for (Future<List<Pair>> writer : threads.invokeAll(writers)) {
        pairs.addAll(writer.get());
      }
    } catch (ExecutionException e) {
      return unknown("a writer stopped: " + Trial.answer(e.getCause() == null ? e : e.getCause()));
    } finally {
      threads.shutdownNow();
    }
    return judge(pairs);
  }

  private enum Order {
    LEFT_FIRST,
    RIGHT_FIRST
  }

  private List<Pair> pairs(Order order, long end) throws IOException {
    List<Pair> done = new ArrayList<>();
    for (int i = 0; i < TRIES_EACH && System.nanoTime() < end; i++) {
      StagedAppend one = StagedAppend.on(scratch, left);
      StagedAppend two = StagedAppend.on(scratch, right);
      List<TableCommit> members =
          order == Order.LEFT_FIRST
              ? List.of(one.member(), two.member())
              : List.of(two.member(), one.member());
      done.add(new Pair(one.path(), two.path(), answer(() -> catalog.commitTransaction(members))));
    }
    return done;
  }

  private List<Pair> singles(long end) throws IOException {
    for (int i = 0; i < TRIES_EACH && System.nanoTime() < end; i++) {
      answer(StagedAppend.on(scratch, i % 2 == 0 ? left : right)::swap);
    }
    return List.of();
  }

  private static Answer answer(Runnable commit) {
    try {
      commit.run();
      return Answer.ACCEPTED;
    } catch (CommitFailedException e) {
      return Answer.REFUSED;
    } catch (RuntimeException e) {
      return Answer.UNCLEAR;
    }
  }

  private Seen judge(List<Pair> pairs) {
    Set<String> leftLive = ScratchFiles.livePaths(scratch.load(left));
    Set<String> rightLive = ScratchFiles.livePaths(scratch.load(right));
    int accepted = 0;
    int refused = 0;
    int half = 0;
    int contrary = 0;
    for (Pair pair : pairs) {
      boolean inLeft = leftLive.contains(pair.left());
      boolean inRight = rightLive.contains(pair.right());
      accepted += pair.answer() == Answer.ACCEPTED ? 1 : 0;
      refused += pair.answer() == Answer.REFUSED ? 1 : 0;
      half += inLeft != inRight ? 1 : 0;
      contrary +=
          inLeft == inRight
                  && ((pair.answer() == Answer.ACCEPTED && !inLeft)
                      || (pair.answer() == Answer.REFUSED && inLeft))
              ? 1
              : 0;
    }
    String counts =
        "%d pairs of commits by %d writers, %d accepted, %d refused"
            .formatted(pairs.size(), PAIR_WRITERS, accepted, refused);
    if (half > 0 || contrary > 0) {
      return wrong("%s: %d half applied, %d against the answer".formatted(counts, half, contrary));
    }
    // without collisions the run proves nothing
    return accepted > 0 && refused > 0
        ? yes(counts + ", none half applied")
        : unknown(counts + ": too few of one kind to tell");
  }
}
