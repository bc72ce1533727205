package io.rowmark.formats.change;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Folds the changes of some keys, given in source order, to one net change a key. The last change
 * wins; values that the source left out are taken from the change before, also through a change of
 * key, and otherwise from the stored row that the chain of changes began with.
 *
 * @param <K> key with equality
 */
public final class ChangeFold<K> {

  /**
   * One change of one key.
   *
   * @param row row values; null exactly for a removal
   * @param unavailable which values the source left out; empty for a removal
   * @param movedFrom the key under which the row was before, when the change is the second half of
   *     a key change; null otherwise
   * @param token whatever the caller wants to find again in the net change
   */
  public record Change<K>(
      K key,
      @Nullable Object @Nullable [] row,
      BitSet unavailable,
      @Nullable K movedFrom,
      Object token) {}

  /**
   * The net change of one key.
   *
   * @param row null for a removal
   * @param unavailable values to take from the stored row of {@code base}
   * @param base key of the stored row that fills the unavailable values; null if none are
   * @param token token of the last change
   */
  public record Net<K>(
      K key,
      @Nullable Object @Nullable [] row,
      BitSet unavailable,
      @Nullable K base,
      Object token) {}

  private final Map<K, Net<K>> states = new LinkedHashMap<>();
  private final Map<K, Net<K>> beforeRemoval = new HashMap<>();
  private final List<Object> unfillable = new ArrayList<>();

  /** Takes the next change in source order. */
  public void add(Change<K> change) {
    Object[] row = change.row();
    if (row == null) {
      Net<K> state = states.get(change.key());
      if (state != null) {
        beforeRemoval.put(change.key(), state);
      } else {
        beforeRemoval.remove(change.key());
      }
      states.put(change.key(), new Net<>(change.key(), null, new BitSet(), null, change.token()));
      return;
    }
    states.put(
        change.key(), change.unavailable().isEmpty() ? complete(change, row) : fill(change, row));
  }

  /**
   * Takes a removal that keeps its row. What goes on with the row under another key finds it as the
   * removal leaves it.
   */
  public void addKept(Change<K> removal) {
    add(removal);
    beforeRemoval.put(removal.key(), states.get(removal.key()));
  }

  private static <K> Net<K> complete(Change<K> change, Object[] row) {
    return new Net<>(change.key(), row, new BitSet(), null, change.token());
  }

  private Net<K> fill(Change<K> change, @Nullable Object[] row) {
    K origin = change.movedFrom();
    Net<K> before = origin == null ? states.get(change.key()) : beforeRemoval.get(origin);
    if (before == null) {
      K base = origin == null ? change.key() : origin;
      return new Net<>(change.key(), row, change.unavailable(), base, change.token());
    }
    Object[] values = before.row();
    if (values == null) {
      unfillable.add(change.token());
      return new Net<>(change.key(), null, new BitSet(), null, change.token());
    }
    Object[] filled = row.clone();
    change.unavailable().stream().forEach(column -> filled[column] = values[column]);
    BitSet open = (BitSet) change.unavailable().clone();
    open.and(before.unavailable());
    return new Net<>(
        change.key(), filled, open, open.isEmpty() ? null : before.base(), change.token());
  }

  /** The net changes so far, one for each key, in the order in which the keys first came. */
  public List<Net<K>> result() {
    return List.copyOf(states.values());
  }

  /** Tokens of changes whose left-out values have no row to come from. */
  public List<Object> unfillable() {
    return List.copyOf(unfillable);
  }

  /** Forgets everything, for the next keys. */
  public void clear() {
    states.clear();
    beforeRemoval.clear();
    unfillable.clear();
  }
}
