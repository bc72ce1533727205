package io.rowmark.integration.bench;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The benchmark's table and its batches, the same for every contender and every run: a row depends
 * on its key and a version only, a batch on its seed only.
 */
final class Orders {
  private static final String[] STATUS = {"new", "paid", "packed", "sent", "returned", "closed"};

  private Orders() {}

  /** Rows 0 until {@code count} at version 0. */
  static Dataset<Row> rows(SparkSession spark, long count) {
    return spark
        .range(count)
        .selectExpr(
            "id AS order_id",
            "pmod(id * 7919, 1000003) AS customer_id",
            "element_at(array('new','paid','packed','sent','returned','closed'), int(pmod(id, 6)) + 1) AS status",
            "CAST(pmod(id * 104729, 100000000) / 100 AS DECIMAL(12,2)) AS amount",
            "CAST(timestamp_micros(1700000000000000 + id * 1000000) AS TIMESTAMP_NTZ) AS updated_at",
            "rpad(concat('order ', hex(id * 2654435761)), 60, 'x') AS note");
  }

  /** The operation and key of one change. */
  record Change(String op, long key) {}

  /** Which keys a batch takes. */
  enum Spread {
    /** Every key of the table is as likely. */
    UNIFORM,
    /** 90 % of the keys come from the newest 5 %. */
    NEWEST
  }

  /**
   * Distinct keys of one batch: 80 % updates, 10 % deletes of existing keys, 10 % inserts behind
   * the highest.
   *
   * @param rows keys 0 until this are in the table
   * @param firstInsert first key to insert
   */
  static Set<Change> batch(long seed, int size, long rows, long firstInsert, Spread spread) {
    Random random = new Random(seed);
    Set<Long> keys = new LinkedHashSet<>();
    int existing = size - size / 10;
    while (keys.size() < existing) {
      boolean newest = spread == Spread.NEWEST && random.nextInt(10) < 9;
      long low = newest ? rows - rows / 20 : 0;
      keys.add(low + (long) (random.nextDouble() * (rows - low)));
    }
    Set<Change> changes = new LinkedHashSet<>();
    int number = 0;
    for (long key : keys) {
      changes.add(new Change(number++ < size / 10 ? "d" : "u", key));
    }
    for (int i = 0; i < size / 10; i++) {
      changes.add(new Change("c", firstInsert + i));
    }
    return changes;
  }

  /** Writes changes as Debezium writes them without schemas, one a line. */
  static void writeDebezium(Path file, Iterable<Change> changes, int version, long firstLsn)
      throws IOException {
    Files.createDirectories(file.getParent());
    long lsn = firstLsn;
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      for (Change change : changes) {
        out.write(event(change, version, lsn++));
        out.write('\n');
      }
    }
  }

  /** Writes a snapshot of rows {@code from} until {@code to}. */
  static void writeSnapshot(Path file, long from, long to) throws IOException {
    Files.createDirectories(file.getParent());
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      for (long key = from; key < to; key++) {
        out.write(event(new Change("r", key), 0, 1));
        out.write('\n');
      }
    }
  }

  private static String event(Change change, int version, long lsn) {
    String row =
        change.op.equals("d") ? "{\"order_id\":" + change.key + "}" : row(change.key, version);
    boolean removed = change.op.equals("d");
    return "{\"before\":"
        + (removed ? row : "null")
        + ",\"after\":"
        + (removed ? "null" : row)
        + ",\"source\":{\"version\":\"3.6.1.Final\",\"connector\":\"postgresql\",\"name\":\"bench\",\"ts_ms\":1700000000000,\"snapshot\":\""
        + (change.op.equals("r") ? "true" : "false")
        + "\",\"db\":\"bench\",\"sequence\":\"["
        + (change.op.equals("r") ? "null" : "\\\"" + lsn + "\\\"")
        + ",\\\""
        + lsn
        + "\\\"]\",\"schema\":\"public\",\"table\":\"orders\",\"txId\":1,\"lsn\":"
        + lsn
        + "},\"transaction\":null,\"op\":\""
        + change.op
        + "\",\"ts_ms\":1700000000001}";
  }

  private static String row(long key, int version) {
    StringBuilder note =
        new StringBuilder("order ").append(Long.toHexString(key * 2654435761L + version));
    while (note.length() < 60) {
      note.append('x');
    }
    return "{\"order_id\":%d,\"customer_id\":%d,\"status\":\"%s\",\"amount\":\"%d.%02d\",\"updated_at\":%d,\"note\":\"%s\"}"
        .formatted(
            key,
            Math.floorMod(key * 7919 + version, 1000003L),
            STATUS[(int) Math.floorMod(key + version, 6L)],
            Math.floorMod(key * 104729 + version, 100000000L) / 100,
            Math.floorMod(key * 104729 + version, 100000000L) % 100,
            1700000000000000L + key * 1000000 + version,
            note);
  }
}
