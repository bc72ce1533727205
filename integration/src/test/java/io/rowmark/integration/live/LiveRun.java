package io.rowmark.integration.live;

import io.rowmark.integration.live.LandedEvents.Transactions;
import io.rowmark.integration.live.LiveShop.Cut;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A database under load, the program that captures its changes, and the pipeline beside them. */
final class LiveRun implements AutoCloseable {
  private static final String TRANSACTIONS_A_SECOND = "100";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long PAUSE_NANOS = 200_000_000;

  /** On a busy machine there may be no more in the time. */
  private static final int FEWEST_BATCHES = 6;

  /** Debezium captures it, and no table is made of it. */
  private static final String REMARKS = "remarks";

  private final PostgresServer server;
  private final Path folder;
  private final LandedEvents landed;
  private final LiveShop shop;
  private TopicWriter writer;

  private LiveRun(PostgresServer server, Path folder, Cut cut) throws IOException {
    this.server = server;
    this.folder = folder;
    this.landed = new LandedEvents(landing(), LiveShop.NAME);
    this.shop = new LiveShop(folder, landing(), cut);
    this.writer = startWriter();
  }

  /**
   * What happened.
   *
   * @param inputs the source transactions in the files that were there when each batch began
   * @param deeds how many of the shop's transactions there were, by kind
   */
  record Ended(BatchReader.Seen seen, List<Transactions> inputs, Map<String, Integer> deeds) {
    /** Batches that found the end of a source transaction and not all of its events. */
    long tornInputs() {
      return inputs.stream().filter(input -> input.tornWithEnd() > 0).count();
    }
  }

  /** Fills a database and begins to capture it. */
  static LiveRun start(Path folder, Cut cut)
      throws IOException, InterruptedException, SQLException {
    PostgresServer server = PostgresServer.start(PostgresServer.installed().orElseThrow());
    try {
      server.client("pgbench", "-i", "-q", "-s", "1", "--foreign-keys");
      // it has no key
      server.execute("ALTER TABLE pgbench_history REPLICA IDENTITY FULL");
      server.execute(Shopkeeper.TABLES.toArray(String[]::new));
      server.execute(
          "INSERT INTO orders VALUES (-1, 'the first', 7.50, now(), NULL)",
          "INSERT INTO order_lines VALUES (-1, 1, 'sku-0', 3, 2.50)",
          "INSERT INTO remarks (remark) VALUES ('before the snapshot')");
      // so that the snapshot has balances
      server.client("pgbench", "-n", "-t", "200");
      return new LiveRun(server, folder, cut);
    } catch (Throwable e) {
      server.close();
      throw e;
    }
  }

  private Path landing() {
    return folder.resolve("landing");
  }

  private static List<String> captured() {
    List<String> tables = new ArrayList<>(LiveShop.tables());
    tables.add(REMARKS);
    return tables.stream().map(table -> "public." + table).toList();
  }

  private TopicWriter startWriter() throws IOException {
    return TopicWriter.start(
        server, landing(), folder.resolve("writer"), LiveShop.NAME, captured());
  }

  PostgresServer server() {
    return server;
  }

  LiveShop shop() {
    return shop;
  }

  /**
   * Lets the database work, takes batch after batch meanwhile, and in the end all that is left.
   *
   * @param seconds how long the database works after its snapshot is in files
   */
  Ended follow(int seconds)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    AtomicBoolean open = new AtomicBoolean(true);
    AtomicBoolean running = new AtomicBoolean(true);
    Process bench =
        server.start(
            folder.resolve("pgbench.log"),
            "pgbench",
            "-n",
            "-c",
            "4",
            "-R",
            TRANSACTIONS_A_SECOND,
            "-T",
            "3600");
    try {
      List<Future<Map<String, Integer>>> keepers =
          List.of(
              threads.submit(new Shopkeeper(server, 0, open)),
              threads.submit(new Shopkeeper(server, 1, open)));
      await("the snapshot in files", () -> landed.hasSnapshotOf(captured()));
      Future<BatchReader.Seen> reader = threads.submit(new BatchReader(shop, running));
      List<Set<Path>> inputs = batches(Duration.ofSeconds(seconds));
      open.set(false);
      Map<String, Integer> deeds = new TreeMap<>();
      for (Future<Map<String, Integer>> keeper : keepers) {
        keeper.get().forEach((deed, count) -> deeds.merge(deed, count, Integer::sum));
      }
      bench.destroy();
      bench.waitFor();
      captureTheRest();
      while (shop.ingest()) {
        // until nothing is new
      }
      running.set(false);
      Set<Path> all = landed.files();
      return new Ended(
          reader.get(), inputs.stream().map(files -> landed.in(files, all)).toList(), deeds);
    } finally {
      open.set(false);
      running.set(false);
      bench.destroyForcibly();
      threads.shutdown();
    }
  }

  /**
   * Batch after batch. Half way the capturing program is stopped and started again.
   *
   * @return the files that were there when each batch began
   */
  private List<Set<Path>> batches(Duration time) throws IOException, InterruptedException {
    long start = System.nanoTime();
    boolean restarted = false;
    List<Set<Path>> inputs = new ArrayList<>();
    while (System.nanoTime() - start < time.toNanos() || inputs.size() < FEWEST_BATCHES) {
      writer.check();
      Set<Path> files = landed.files();
      if (shop.ingest()) {
        inputs.add(files);
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      if (!restarted && System.nanoTime() - start > time.toNanos() / 2) {
        writer.stop();
        writer = startWriter();
        restarted = true;
      }
    }
    return inputs;
  }

  /** Everything that the database did is in files when the later of two remarks is. */
  private void captureTheRest() throws SQLException, InterruptedException {
    server.execute(
        "INSERT INTO remarks (remark) VALUES ('last but one')",
        "INSERT INTO remarks (remark) VALUES ('the very last')");
    await("the last change in files", () -> landed.has("public." + REMARKS, "the very last"));
    writer.stop();
  }

  private void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      writer.check();
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new AssertionError("Still without %s after %s".formatted(what, PATIENCE));
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    writer.close();
    shop.close();
    server.close();
  }
}
