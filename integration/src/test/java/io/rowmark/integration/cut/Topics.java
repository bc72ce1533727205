package io.rowmark.integration.cut;

import io.rowmark.integration.cut.SourceLog.Change;
import io.rowmark.integration.cut.SourceLog.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Topics whose records land in files at different times, so that files end in the middle of
 * transactions.
 */
final class Topics {
  static final String ENDS = "transaction";

  private final Path folder;
  private final Map<String, List<String>> pending = new LinkedHashMap<>();
  private final Map<String, Integer> offsets = new TreeMap<>();

  Topics(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    SourceLog.TABLES.forEach(table -> pending.put(table, new ArrayList<>()));
    pending.put(ENDS, new ArrayList<>());
  }

  List<String> names() {
    return List.copyOf(pending.keySet());
  }

  int waiting(String topic) {
    return pending.get(topic).size();
  }

  /** Writes a transaction's records to their topics. */
  void add(Transaction transaction) {
    long before = 1000L * (transaction.number() - 1);
    Map<String, Integer> numbers = new TreeMap<>();
    int total = 0;
    put(ENDS, "{\"status\":\"BEGIN\",\"id\":\"%d:%d\"}".formatted(transaction.number(), before));
    for (Change change : transaction.changes()) {
      total++;
      int number = numbers.merge(change.table(), 1, Integer::sum);
      String row = "{\"id\":%d,\"value\":%s}";
      String old = change.value() == null ? row.formatted(change.id(), "0") : "null";
      String after = change.value() == null ? "null" : row.formatted(change.id(), change.value());
      put(
          change.table(),
          ("{\"before\":%s,\"after\":%s,\"op\":\"%s\",\"source\":{\"connector\":\"postgresql\","
                  + "\"snapshot\":\"false\",\"db\":\"d\",\"schema\":\"public\",\"table\":\"%s\","
                  + "\"sequence\":\"[\\\"%d\\\",\\\"%d\\\"]\",\"lsn\":%d},"
                  + "\"transaction\":{\"id\":\"%d:%d\",\"total_order\":%d,\"data_collection_order\":%d}}")
              .formatted(
                  old,
                  after,
                  change.value() == null ? "d" : change.table().equals("journal") ? "c" : "u",
                  change.table(),
                  before,
                  before + total,
                  before + total,
                  transaction.number(),
                  before + total,
                  total,
                  number));
    }
    List<String> counts = new ArrayList<>();
    numbers.forEach(
        (table, count) ->
            counts.add(
                "{\"data_collection\":\"public.%s\",\"event_count\":%d}".formatted(table, count)));
    put(
        ENDS,
        "{\"status\":\"END\",\"id\":\"%d:%d\",\"event_count\":%d,\"data_collections\":[%s]}"
            .formatted(transaction.number(), before + 999, total, String.join(",", counts)));
  }

  private void put(String topic, String record) {
    pending.get(topic).add(record);
  }

  /** Takes back what has not landed, until it is run. */
  Runnable postpone() {
    Map<String, List<String>> later = new LinkedHashMap<>();
    pending.forEach((topic, records) -> later.put(topic, new ArrayList<>(records)));
    pending.values().forEach(List::clear);
    return () -> later.forEach((topic, records) -> pending.get(topic).addAll(0, records));
  }

  /** Loses the first record of a topic that has not landed. */
  void drop(String topic) {
    pending.get(topic).remove(0);
  }

  /** Lands the first records of a topic in a file of that age. */
  void land(String topic, int count, Duration age) throws IOException {
    List<String> records = pending.get(topic).subList(0, count);
    if (records.isEmpty()) {
      return;
    }
    int offset = offsets.merge(topic, count, Integer::sum) - count;
    String name = "shop.public." + topic;
    Path file = folder.resolve(name).resolve("%s+0+%010d.json".formatted(name, offset));
    Files.createDirectories(file.getParent());
    Files.writeString(file, String.join("\n", records) + "\n");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    records.clear();
  }

  /** Lets all files be so old. */
  void age(Duration age) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
      }
    }
  }
}
