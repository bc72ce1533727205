package io.rowmark.merge.source;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.merge.record.TransactionMark;
import java.io.Serializable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which source transactions the changes of an input are of, counted one by one. Not for several
 * threads at once.
 */
public final class InputMarks implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Map<String, Map<String, Numbers>> transactions = new HashMap<>();
  private byte @Nullable [] lowest;
  private byte @Nullable [] highest;

  /** Changes of a transaction. A change that was delivered twice counts once, if it is numbered. */
  private static final class Numbers implements Serializable {
    private static final long serialVersionUID = 1L;
    private final BitSet numbers = new BitSet();
    private long unnumbered;

    void add(long number) {
      if (number > 0 && number < Integer.MAX_VALUE) {
        numbers.set((int) number);
      } else {
        unnumbered++;
      }
    }

    void add(Numbers other) {
      numbers.or(other.numbers);
      unnumbered += other.unnumbered;
    }

    long count() {
      return numbers.cardinality() + unnumbered;
    }
  }

  /** Counts a change. */
  public void add(TransactionMark mark) {
    if (mark.transaction() != null) {
      transactions
          .computeIfAbsent(mark.transaction(), id -> new HashMap<>())
          .computeIfAbsent(mark.sourceTable(), name -> new Numbers())
          .add(mark.number());
    }
    byte[] commit = mark.commit();
    if (commit != null) {
      lowest = lowest == null || isLess(commit, lowest) ? commit : lowest;
      highest = highest == null || isLess(highest, commit) ? commit : highest;
    }
  }

  /** Adds the changes of another input, or another part of this one. */
  public void add(InputMarks other) {
    other.transactions.forEach(
        (id, tables) ->
            tables.forEach(
                (name, numbers) ->
                    transactions
                        .computeIfAbsent(id, one -> new HashMap<>())
                        .computeIfAbsent(name, one -> new Numbers())
                        .add(numbers)));
    byte[] low = other.lowest;
    byte[] high = other.highest;
    lowest = lowest == null || (low != null && isLess(low, lowest)) ? low : lowest;
    highest = highest == null || (high != null && isLess(highest, high)) ? high : highest;
  }

  private static boolean isLess(byte[] one, byte[] other) {
    return ChangeOrder.COMPARATOR.compare(one, other) < 0;
  }

  /** Names of the transactions. */
  public Set<String> transactions() {
    return transactions.keySet();
  }

  /**
   * How many changes of a transaction there are, by source table: its name, each part with a dot
   * before it, or the empty text where the records do not tell.
   */
  public Map<String, Long> counts(String transaction) {
    Map<String, Long> counts = new HashMap<>();
    transactions
        .getOrDefault(transaction, Map.of())
        .forEach((name, numbers) -> counts.put(name, numbers.count()));
    return counts;
  }

  /** Position of the first change in the log; null where none has one. */
  public byte @Nullable [] lowest() {
    return lowest;
  }

  /** Position of the last change in the log. */
  public byte @Nullable [] highest() {
    return highest;
  }
}
