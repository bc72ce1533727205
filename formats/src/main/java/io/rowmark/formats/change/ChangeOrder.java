package io.rowmark.formats.change;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The place of a change in its source, as bytes whose unsigned lexicographic order is the order of
 * the source.
 *
 * <p>Layout: one byte epoch, then the numbers of the source's own position, each as eight bytes,
 * big-endian, with the sign bit turned so that negative numbers sort first. Positions of one source
 * have the same count of numbers. Spark and Iceberg both compare binary values unsigned, so the
 * bytes can be compared in SQL as well.
 */
public final class ChangeOrder {
  /** Epoch of rows that a snapshot of the source read. */
  public static final int SNAPSHOT_EPOCH = 0;

  /** Epoch of streamed changes; they win over every snapshot read. */
  public static final int STREAM_EPOCH = 1;

  /** Compares two encoded orders; both must come from one source. */
  public static final Comparator<byte[]> COMPARATOR = Arrays::compareUnsigned;

  private ChangeOrder() {}

  /** Encodes a position. {@code numbers} go from the most to the least significant. */
  public static byte[] encode(int epoch, long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(1 + Long.BYTES * numbers.length);
    bytes.put((byte) epoch);
    for (long number : numbers) {
      bytes.putLong(number ^ Long.MIN_VALUE);
    }
    return bytes.array();
  }

  /** The epoch of an encoded order. */
  public static int epoch(byte[] order) {
    return order[0];
  }

  /**
   * Whether a change is older than what was last applied to its key. Equal is not older: the same
   * event read twice leads to the same row. Unknown orders (null) are never stale.
   */
  public static boolean isStale(byte @Nullable [] incoming, byte @Nullable [] applied) {
    return incoming != null && applied != null && COMPARATOR.compare(incoming, applied) < 0;
  }

  /** A form for people: epoch and numbers, as in {@code 1/40124144/40124200/3}. */
  public static String describe(byte[] order) {
    StringBuilder text = new StringBuilder().append(order[0]);
    ByteBuffer bytes = ByteBuffer.wrap(order, 1, order.length - 1);
    while (bytes.remaining() >= Long.BYTES) {
      text.append('/').append(bytes.getLong() ^ Long.MIN_VALUE);
    }
    return text.toString();
  }
}
