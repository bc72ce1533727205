package io.rowmark.merge.normalize;

import io.rowmark.formats.change.RowImages.CarryOvers;
import io.rowmark.formats.change.SourceOrder;
import io.rowmark.merge.spec.TableSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * What {@link NetChanges} computes, for few events and on the driver. Without left-out values the
 * last change of a key says all. Rows are encoded as Spark encodes them between its stages, so that
 * both ways give the same values.
 */
public final class NetChangesAtHand {
  private static final Comparator<Event> SOURCE_ORDER =
      Comparator.comparing(Event::order, Comparator.nullsFirst(Arrays::compareUnsigned))
          .thenComparingInt(Event::file)
          .thenComparingLong(Event::place)
          .thenComparingInt(Event::op);

  private NetChangesAtHand() {}

  private record Event(byte op, byte @Nullable [] order, int file, long place, InternalRow row) {
    NetChange net(SourceOrder.Scope scope) {
      return new NetChange(
          NetChanges.op(op), scope == SourceOrder.Scope.SOURCE ? order : null, row);
    }
  }

  /** Whether the events of a table's batch are such that this class can reduce them. */
  public static boolean fits(NormalizedTable normalized) {
    return normalized.events() instanceof Events.AtHand
        && !normalized.hasGaps()
        && normalized.carryOvers() == CarryOvers.KEEP
        && !normalized.truncates();
  }

  /**
   * The net changes of events that {@link #fits} admits: one per key, in no order; all events, in
   * arrival order, where rows have no key.
   */
  public static List<NetChange> of(NormalizedTable normalized, Events.AtHand events) {
    List<Event> changes = changes(events);
    TableSpec spec = normalized.input().spec();
    if (spec.mode() == TableSpec.Mode.APPEND_ONLY) {
      changes.sort(Comparator.comparingInt(Event::file).thenComparingLong(Event::place));
    } else {
      changes = last(changes, rowType(events.type()), spec.key());
    }
    return changes.stream().map(event -> event.net(normalized.orderScope())).toList();
  }

  /** The rows of all changes, in the table's columns. */
  static List<InternalRow> rows(Events.AtHand events) {
    return changes(events).stream().map(Event::row).toList();
  }

  private static StructType rowType(StructType events) {
    return (StructType) events.apply(EventRows.ROW_AT).dataType();
  }

  private static List<Event> changes(Events.AtHand events) {
    StructType type = rowType(events.type());
    // lenient: takes times of either Java API, whatever the thread's session says
    ExpressionEncoder.Serializer<Row> encoder =
        ExpressionEncoder.apply(type, true).createSerializer();
    List<Event> changes = new ArrayList<>();
    for (Row row : events.rows()) {
      if (row.getByte(EventRows.KIND_AT) == EventRows.CHANGE) {
        changes.add(
            new Event(
                row.getByte(EventRows.OP_AT),
                (byte[]) row.get(EventRows.ORDER_AT),
                row.getInt(EventRows.FILE_AT),
                row.getLong(EventRows.PLACE_AT),
                encoder.apply(row.getStruct(EventRows.ROW_AT)).copy()));
      }
    }
    return changes;
  }

  private static List<Event> last(List<Event> changes, StructType type, List<String> key) {
    int[] ordinals = key.stream().mapToInt(type::fieldIndex).toArray();
    DataType[] types =
        Arrays.stream(ordinals).mapToObj(at -> type.apply(at).dataType()).toArray(DataType[]::new);
    Map<List<Object>, Event> last = new HashMap<>();
    for (Event change : changes) {
      List<Object> values = new ArrayList<>(ordinals.length);
      for (int i = 0; i < ordinals.length; i++) {
        Object value = change.row().get(ordinals[i], types[i]);
        values.add(value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value);
      }
      last.merge(
          values, change, (one, other) -> SOURCE_ORDER.compare(one, other) > 0 ? one : other);
    }
    return List.copyOf(last.values());
  }
}
