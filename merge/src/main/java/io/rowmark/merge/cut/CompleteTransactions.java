package io.rowmark.merge.cut;

import io.rowmark.merge.source.InputMarks;
import io.rowmark.merge.source.TransactionEnd;
import io.rowmark.merge.spec.TableSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that a batch may take: of those that have ended, in the order of their ends, all
 * before the first of which a change is missing. A later one that is complete has to wait, since it
 * may build on the missing one.
 *
 * @param ids names of the transactions
 * @param blocked the first that is not complete; null when all are
 */
record CompleteTransactions(Set<String> ids, @Nullable Blocked blocked) {
  CompleteTransactions {
    ids = Set.copyOf(ids);
  }

  /** The same and some more. */
  CompleteTransactions and(Set<String> more) {
    Set<String> all = new HashSet<>(ids);
    all.addAll(more);
    return new CompleteTransactions(all, blocked);
  }

  /**
   * A transaction of which changes are missing.
   *
   * @param sourceTable as the transaction's end names it
   */
  record Blocked(String id, String sourceTable, long found, long wanted) {
    @Override
    public String toString() {
      return "transaction %s has %d of its %d changes of %s"
          .formatted(id, found, wanted, sourceTable);
    }
  }

  /** The waiting changes of one table. */
  record Waiting(TableSpec table, InputMarks marks) {

    static Waiting of(Surveyed input) {
      InputMarks all = new InputMarks();
      input.marks().forEach(all::add);
      return new Waiting(input.table(), all);
    }

    /**
     * How many changes of a transaction are here of those that its end tells of one source table.
     */
    long found(String transaction, String sourceTable) {
      long found = 0;
      for (Map.Entry<String, Long> counted : marks.counts(transaction).entrySet()) {
        if (counted.getKey().isEmpty() || isSame(counted.getKey(), "." + sourceTable)) {
          found += counted.getValue();
        }
      }
      return found;
    }

    /** Whether changes of a source table go to the table. */
    boolean takes(String transaction, String sourceTable) {
      String name = "." + sourceTable;
      if (!table.feed().sourceTable().isEmpty()) {
        return isSame(name, "." + table.feed().sourceTable());
      }
      return ("." + table.topic()).endsWith(name)
          || marks.counts(transaction).keySet().stream().anyMatch(other -> isSame(other, name));
    }

    /** Either may name schema and database, or leave them out. */
    private static boolean isSame(String one, String other) {
      return one.endsWith(other) || other.endsWith(one) && !one.isEmpty();
    }
  }

  /**
   * @param ends in the order of the source
   * @param done whether a transaction went in before, which the source tells of again after a
   *     restart; asked only of those of which changes are missing
   */
  static CompleteTransactions of(
      List<TransactionEnd> ends, List<Waiting> tables, Predicate<String> done) {
    Set<String> complete = new HashSet<>();
    for (TransactionEnd end : ends) {
      Blocked missing = missing(end, tables);
      if (missing != null && !done.test(end.id())) {
        return new CompleteTransactions(complete, missing);
      }
      complete.add(end.id());
    }
    return new CompleteTransactions(complete, null);
  }

  private static @Nullable Blocked missing(TransactionEnd end, List<Waiting> tables) {
    for (Map.Entry<String, Long> wanted : end.changes().entrySet()) {
      for (Waiting table : tables) {
        if (!table.takes(end.id(), wanted.getKey())) {
          continue;
        }
        long found = table.found(end.id(), wanted.getKey());
        if (found < wanted.getValue()) {
          return new Blocked(end.id(), wanted.getKey(), found, wanted.getValue());
        }
      }
    }
    return null;
  }
}
