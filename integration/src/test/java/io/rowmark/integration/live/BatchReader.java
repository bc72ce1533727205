package io.rowmark.integration.live;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * Reads the tables while batches land, and says what is wrong with each batch. The ledger names the
 * batches in their order; a table as of a batch is its newest snapshot of that batch or one before.
 */
final class BatchReader implements Callable<BatchReader.Seen> {
  private static final String BATCH_ID = "rowmark.batch-id";
  private static final long PAUSE_NANOS = 50_000_000;

  private final LiveShop shop;
  private final AtomicBoolean running;
  private final Map<String, List<String>> violations = new LinkedHashMap<>();
  private final List<String> torn = new ArrayList<>();
  private int between;

  /**
   * @param running until when to go on; the batches that are there then are read to the last
   */
  BatchReader(LiveShop shop, AtomicBoolean running) {
    this.shop = shop;
    this.running = running;
  }

  /**
   * What was seen.
   *
   * @param violations by batch, in the order of the batches; an empty list if all is right
   * @param loaded how often all tables were loaded while no batch landed
   * @param torn what was wrong then: tables that were not as of the ledger's last batch
   */
  record Seen(Map<String, List<String>> violations, int loaded, List<String> torn) {
    long wrongBatches() {
      return violations.values().stream().filter(list -> !list.isEmpty()).count();
    }
  }

  @Override
  public Seen call() {
    boolean last;
    do {
      last = !running.get();
      if (shop.exists(LiveShop.LEDGER)) {
        look();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    } while (!last);
    return new Seen(violations, between, torn);
  }

  private void look() {
    Table ledger = shop.table(LiveShop.LEDGER);
    List<String> batches = batches(ledger);
    if (batches.isEmpty()) {
      return;
    }
    Map<String, Table> tables = new HashMap<>();
    LiveShop.tables().forEach(name -> tables.put(name, shop.table(name)));
    Table after = shop.table(LiveShop.LEDGER);
    if (ledger.currentSnapshot().snapshotId() == after.currentSnapshot().snapshotId()) {
      compare(tables, batches);
    }
    Set<String> until = new HashSet<>();
    for (String batch : batches) {
      until.add(batch);
      if (!violations.containsKey(batch)) {
        violations.put(batch, new ShopState(batch, tables, asOf(tables, until)).violations());
      }
    }
  }

  /** No batch landed between the first and the last table: all must be as of the last one. */
  private void compare(Map<String, Table> tables, List<String> batches) {
    between++;
    Map<String, Snapshot> expected = asOf(tables, new HashSet<>(batches));
    tables.forEach(
        (name, table) -> {
          Snapshot now = table.currentSnapshot();
          if (!Objects.equals(now, expected.get(name))) {
            torn.add(
                "%s shows more than batch %s".formatted(name, batches.get(batches.size() - 1)));
          }
        });
  }

  private static List<String> batches(Table ledger) {
    List<String> batches = new ArrayList<>();
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(ledger)) {
      String batch = snapshot.summary().get(BATCH_ID);
      if (batch != null) {
        batches.add(0, batch);
      }
    }
    return batches;
  }

  private static Map<String, Snapshot> asOf(Map<String, Table> tables, Set<String> batches) {
    Map<String, Snapshot> found = new HashMap<>();
    tables.forEach(
        (name, table) -> {
          for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
            if (batches.contains(snapshot.summary().get(BATCH_ID))) {
              found.put(name, snapshot);
              return;
            }
          }
        });
    return found;
  }
}
