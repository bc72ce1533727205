package io.rowmark.integration.cut;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The transactions of a small shop in the order of their commits, as Debezium writes them: parents,
 * their children and a journal without key. Every transaction changes at least two of them.
 */
final class SourceLog {
  static final List<String> TABLES = List.of("parents", "children", "journal");

  private final Random random;
  private final List<Transaction> transactions = new ArrayList<>();
  private final TreeMap<Integer, Integer> parents = new TreeMap<>();
  private int lastId;

  /** A change of a table; a value of null deletes. */
  record Change(String table, int id, Integer value) {}

  /** Changes that were committed together. */
  record Transaction(int number, List<Change> changes) {}

  SourceLog(Random random) {
    this.random = random;
  }

  /** One more transaction. */
  Transaction next() {
    int number = transactions.size() + 1;
    List<Change> changes = new ArrayList<>();
    if (parents.size() > 3 && random.nextInt(4) == 0) {
      int gone = List.copyOf(parents.keySet()).get(random.nextInt(parents.size()));
      changes.add(new Change("children", 10 * gone, null));
      changes.add(new Change("parents", gone, null));
      parents.remove(gone);
    } else {
      for (int i = 0; i <= random.nextInt(3); i++) {
        int parent =
            parents.isEmpty() || random.nextBoolean()
                ? ++lastId
                : List.copyOf(parents.keySet()).get(random.nextInt(parents.size()));
        parents.put(parent, number);
        changes.add(new Change("parents", parent, number));
        changes.add(new Change("children", 10 * parent, number));
      }
    }
    changes.add(new Change("journal", number, changes.size()));
    Transaction made = new Transaction(number, List.copyOf(changes));
    transactions.add(made);
    return made;
  }

  List<Transaction> transactions() {
    return List.copyOf(transactions);
  }

  /** The rows of all tables after the first transactions, as {@code table id value}. */
  List<String> rowsAfter(int count, List<String> tables) {
    Map<String, TreeMap<Integer, Integer>> rows = new LinkedHashMap<>();
    tables.forEach(table -> rows.put(table, new TreeMap<>()));
    for (Transaction transaction : transactions.subList(0, count)) {
      for (Change change : transaction.changes()) {
        TreeMap<Integer, Integer> table = rows.get(change.table());
        if (table != null && change.value() == null) {
          table.remove(change.id());
        } else if (table != null) {
          table.put(change.id(), change.value());
        }
      }
    }
    List<String> all = new ArrayList<>();
    rows.forEach(
        (table, values) ->
            values.forEach((id, value) -> all.add("%s %d %d".formatted(table, id, value))));
    return all;
  }
}
