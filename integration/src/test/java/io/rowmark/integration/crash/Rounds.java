package io.rowmark.integration.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rounds of change events for the two tables of a {@link Scene}, and what the tables hold after
 * them. A round inserts rows, and updates and deletes rows of the round before and of the first
 * one.
 */
final class Rounds {
  private static final int INSERTS = 20;

  private final Path landing;
  private final Map<Long, Long> accounts = new TreeMap<>();
  private final List<Long> history = new ArrayList<>();
  private int next;
  private int singles;
  private long position;

  Rounds(Path landing) {
    this(landing, 1000);
  }

  /**
   * @param position in the source's log, of the first event
   */
  Rounds(Path landing, long position) {
    this.landing = landing;
    this.position = position;
  }

  /** Amounts by id, as the keyed table must hold them. */
  Map<Long, Long> accounts() {
    return accounts;
  }

  /** Ids in ascending order, as the table without a key must hold them. */
  List<Long> history() {
    return history;
  }

  /** Input files landed so far, by table. */
  int files() {
    return 2 * next;
  }

  /** Lands two files for each table. */
  void land() {
    long base = 100L * next;
    List<String> changes = new ArrayList<>();
    for (long id = base; id < base + INSERTS; id++) {
      changes.add(put("c", "accounts", id, id));
      accounts.put(id, id);
    }
    List<String> more = new ArrayList<>();
    if (next > 0) {
      for (long old : List.of(base - 100, base - 99, base - 98, 10L, 11L)) {
        more.add(put("u", "accounts", old, base + old));
        accounts.put(old, base + old);
      }
      for (long old : List.of(base - 95, base - 94)) {
        more.add(remove("accounts", old));
        accounts.remove(old);
      }
      more.add(put("c", "accounts", base - 95, 7));
      accounts.put(base - 95, 7L);
    }
    more.add(put("u", "accounts", base + 19, -1));
    accounts.put(base + 19, -1L);
    List<String> rows = new ArrayList<>();
    for (long id = base; id < base + INSERTS; id++) {
      rows.add(put("c", "history", id, id));
      history.add(id);
    }
    write("accounts", 2 * next, changes);
    write("accounts", 2 * next + 1, more);
    write("history", 2 * next, rows.subList(0, 5));
    write("history", 2 * next + 1, rows.subList(5, INSERTS));
    next++;
  }

  /** Lands a file with one change of the keyed table, beside those of rounds. */
  void landOne(long id, long amount) {
    write("accounts", 100_000 + singles++, List.of(put("u", "accounts", id, amount)));
  }

  private void write(String topic, int number, List<String> lines) {
    Path file = landing.resolve("%s/partition=0/%s+0+%d.json".formatted(topic, topic, number));
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, lines);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private String put(String op, String table, long id, long amount) {
    return event(op, table, "null", "{\"id\":%d,\"amount\":%d}".formatted(id, amount));
  }

  private String remove(String table, long id) {
    return event("d", table, "{\"id\":%d,\"amount\":null}".formatted(id), "null");
  }

  private String event(String op, String table, String before, String after) {
    long lsn = position++;
    return """
        {"before":%s,"after":%s,"source":{"version":"3.6.1.Final","connector":"postgresql",\
        "name":"shop","ts_ms":%d,"snapshot":"false","db":"shop","sequence":"[\\"%d\\",\\"%d\\"]",\
        "schema":"public","table":"%s","txId":%d,"lsn":%d},"op":"%s","ts_ms":%d}"""
        .formatted(before, after, lsn, lsn, lsn, table, lsn, lsn, op, lsn);
  }
}
