package io.rowmark.formats.change;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of the changes of a source, as data: which values of a record make it up, most
 * significant first.
 *
 * @param choices the first whose test holds counts; none for a source without order, whose changes
 *     then are ordered by the topic offset in their file's name, or else by arrival
 * @param scope how far the order reaches
 */
public record SourceOrder(List<Choice> choices, Scope scope) implements Serializable {

  /** How far an order can be compared. */
  public enum Scope {
    /** Over the life of the source: a late change of a later batch loses. */
    SOURCE,
    /** Inside one batch, because it starts again or is the order of arrival; later batches win. */
    BATCH
  }

  /**
   * The order of some of the records.
   *
   * @param when null for all
   * @param commitParts how many parts, from the first, all changes of a source transaction share,
   *     and no changes of two; 0 where that is not known
   */
  public record Choice(@Nullable RecordTest when, List<OrderPart> parts, int commitParts)
      implements Serializable {
    public Choice {
      parts = List.copyOf(parts);
    }
  }

  public SourceOrder {
    choices = List.copyOf(choices);
  }

  /**
   * The encoded order of a record, see {@link ChangeOrder}; null when it has none or a value of it
   * cannot be read, so that the caller orders by arrival.
   */
  public byte @Nullable [] of(int epoch, RecordView record) {
    for (Choice choice : choices) {
      RecordTest when = choice.when();
      if (when == null || when.holds(record)) {
        return encode(epoch, record, choice.parts());
      }
    }
    return null;
  }

  /**
   * The beginning of a record's order that its whole source transaction shares; the whole order
   * where the source tells nothing of transactions; null as for {@link #of}.
   */
  public byte @Nullable [] commit(int epoch, RecordView record) {
    for (Choice choice : choices) {
      RecordTest when = choice.when();
      if (when == null || when.holds(record)) {
        List<OrderPart> parts = choice.parts();
        int shared = choice.commitParts() == 0 ? parts.size() : choice.commitParts();
        return encode(epoch, record, parts.subList(0, shared));
      }
    }
    return null;
  }

  private static byte @Nullable [] encode(int epoch, RecordView record, List<OrderPart> parts) {
    int width = 0;
    for (OrderPart part : parts) {
      width += part.width();
    }
    long[] numbers = new long[width];
    int at = 0;
    for (OrderPart part : parts) {
      if (!part.put(record, epoch, numbers, at)) {
        return null;
      }
      at += part.width();
    }
    return ChangeOrder.encode(epoch, numbers);
  }
}
