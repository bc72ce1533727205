package io.rowmark.merge.record;

import io.rowmark.formats.change.ChangeOrder;
import java.io.Serializable;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What of an input a batch takes. Batches that are cut between source transactions leave a part of
 * an input to a later batch, which takes that and nothing else.
 */
public sealed interface Portion extends Serializable {
  /** All of it. */
  Portion WHOLE = new Whole();

  /**
   * What an earlier batch left of an input.
   *
   * @param heldBack as {@link #heldBack} told it, not empty
   */
  static Portion rest(List<String> heldBack) {
    byte[] position = Between.position(heldBack.get(0));
    return position == null ? new Of(Set.copyOf(heldBack), Set.of()) : new Between(position, null);
  }

  /** All of it. */
  record Whole() implements Portion {
    @Override
    public boolean takes(@Nullable TransactionMark mark) {
      return true;
    }

    @Override
    public List<String> heldBack() {
      return List.of();
    }
  }

  /**
   * All but the changes of some transactions.
   *
   * @param later names of the transactions that are left
   */
  record Without(Set<String> later) implements Portion {
    public Without {
      later = Set.copyOf(later);
    }

    @Override
    public boolean takes(@Nullable TransactionMark mark) {
      return mark == null || mark.transaction() == null || !later.contains(mark.transaction());
    }

    @Override
    public List<String> heldBack() {
      return List.copyOf(new TreeSet<>(later));
    }
  }

  /**
   * Of what an earlier batch left, the changes of some transactions.
   *
   * @param now names of the transactions that are taken
   * @param later those that are left again
   */
  record Of(Set<String> now, Set<String> later) implements Portion {
    public Of {
      now = Set.copyOf(now);
      later = Set.copyOf(later);
    }

    @Override
    public boolean takes(@Nullable TransactionMark mark) {
      return mark != null && mark.transaction() != null && now.contains(mark.transaction());
    }

    @Override
    public List<String> heldBack() {
      return List.copyOf(new TreeSet<>(later));
    }
  }

  /**
   * The changes between two positions of the source's log.
   *
   * @param after what an earlier batch left begins behind this; null where there was none
   * @param through what is left begins behind this; null where nothing is
   */
  record Between(byte @Nullable [] after, byte @Nullable [] through) implements Portion {
    private static final String PREFIX = "behind log position ";

    private static byte @Nullable [] position(String held) {
      return held.startsWith(PREFIX)
          ? HexFormat.of().parseHex(held.substring(PREFIX.length()))
          : null;
    }

    @Override
    public boolean takes(@Nullable TransactionMark mark) {
      byte[] commit = mark == null ? null : mark.commit();
      if (commit == null) {
        return after == null;
      }
      return (after == null || ChangeOrder.COMPARATOR.compare(commit, after) > 0)
          && (through == null || ChangeOrder.COMPARATOR.compare(commit, through) <= 0);
    }

    @Override
    public List<String> heldBack() {
      return through == null ? List.of() : List.of(PREFIX + HexFormat.of().formatHex(through));
    }
  }

  /**
   * Whether a record is taken.
   *
   * @param mark null for a record that is no change, or not one of the table
   */
  boolean takes(@Nullable TransactionMark mark);

  /** What is left for later batches, as the ledger keeps it; empty when nothing is. */
  List<String> heldBack();

  /** Differs for portions of one input that differ. */
  default String text() {
    return this instanceof Of of
        ? String.join("\n", new TreeSet<>(of.now())) + " of " + String.join("\n", heldBack())
        : String.join("\n", heldBack());
  }
}
