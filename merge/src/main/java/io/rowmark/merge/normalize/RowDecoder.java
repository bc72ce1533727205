package io.rowmark.merge.normalize;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.RowValues;
import io.rowmark.formats.change.RowValues.Absent;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.Fraction;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.TextValues;
import io.rowmark.formats.type.UnavailableValue.Recognizer;
import io.rowmark.formats.type.ValueDecoder;
import io.rowmark.formats.type.ValueRejected;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Turns the column values of events into rows of one table, and notes which columns and types the
 * events have that the table lacks. One per task; decoders are made once per column and source
 * type.
 */
final class RowDecoder {

  /**
   * A decoded row.
   *
   * @param values in the order of the table's columns
   * @param unavailable columns whose values the source left out
   */
  record Decoded(@Nullable Object[] values, BitSet unavailable) {}

  /** How one column of the events is read; a negative ordinal means the table lacks it. */
  private record Reader(
      int ordinal, SourceType source, @Nullable ValueDecoder decoder, Recognizer unavailable) {}

  private final DecodePlan plan;
  private final List<Types.NestedField> columns;
  private final @Nullable Object[] absent;
  private final Map<List<SourceField>, Map<String, Reader>> bySchema = new IdentityHashMap<>();
  private final Map<String, Reader> untyped = new HashMap<>();
  private final SeenFields seen = new SeenFields();
  private final KeptColumns kept;

  RowDecoder(DecodePlan plan) {
    this.plan = plan;
    this.columns = plan.schema().columns();
    this.kept = new KeptColumns(plan.kept(), columns);
    this.absent = columns.stream().map(InitialDefaults::rowValue).toArray();
  }

  /** Columns and types met so far that the table does not hold. */
  SeenFields seen() {
    return seen;
  }

  /** The columns that no event fills. */
  KeptColumns kept() {
    return kept;
  }

  /** Decodes a whole row; columns that the event lacks get the column's initial default or null. */
  Decoded row(
      ChangeOp op,
      Map<String, @Nullable Object> after,
      @Nullable List<SourceField> fields,
      Absent missing) {
    // a snapshot read never leaves a value out: the same text there is the user's own
    boolean mayLeaveOut = op != ChangeOp.SNAPSHOT_READ;
    @Nullable Object[] values = absent.clone();
    BitSet unavailable = new BitSet();
    if (missing == Absent.UNCHANGED) {
      unavailable.set(0, values.length);
      Arrays.fill(values, null);
    }
    Map<String, Reader> readers = fields == null ? untyped : typed(fields);
    for (Map.Entry<String, @Nullable Object> entry : after.entrySet()) {
      Reader reader = reader(readers, entry.getKey());
      Object value = entry.getValue();
      if (kept.reserves(entry.getKey())) {
        throw new RecordRejected(
            "reserved-column",
            entry.getKey(),
            "the event has a column of a name that the configuration gives to one of Rowmark's own; choose another name there");
      } else if (reader.ordinal < 0) {
        seen.untyped(entry.getKey(), reader.source, value, fields);
      } else if (value == LeftOut.VALUE
          || (mayLeaveOut && value != null && reader.unavailable.matches(value))) {
        unavailable.set(reader.ordinal);
        values[reader.ordinal] = null;
      } else {
        values[reader.ordinal] = decode(reader, entry.getKey(), value, fields);
        unavailable.clear(reader.ordinal);
      }
    }
    checkRequired(values, unavailable);
    return new Decoded(values, unavailable);
  }

  /** Decodes the key columns only; all others are null. */
  @Nullable Object[] key(Map<String, @Nullable Object> image, @Nullable List<SourceField> fields) {
    @Nullable Object[] values = new Object[columns.size()];
    Map<String, Reader> readers = fields == null ? untyped : typed(fields);
    for (String name : plan.key()) {
      if (!image.containsKey(name)) {
        throw new RecordRejected("key-missing", name, "the event lacks a key column");
      }
      Reader reader = reader(readers, name);
      Object value = image.get(name);
      if (value == null) {
        throw new RecordRejected("key-null", name, "a key column is null");
      }
      if (reader.ordinal < 0) {
        seen.untyped(name, reader.source, value, fields);
      } else {
        values[reader.ordinal] = decode(reader, name, value, fields);
      }
    }
    return values;
  }

  private void checkRequired(@Nullable Object[] values, BitSet unavailable) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null || kept.isOwn(i)) {
        continue;
      }
      Types.NestedField column = columns.get(i);
      // an update that leaves its key out is of no row
      if (plan.key().contains(column.name())) {
        throw new RecordRejected("key-null", column.name(), "a key column is null or missing");
      }
      if (column.isRequired() && !unavailable.get(i)) {
        throw new RecordRejected(
            "null-in-required", column.name(), "the table requires a value here");
      }
    }
  }

  private @Nullable Object decode(
      Reader reader, String column, @Nullable Object value, @Nullable List<SourceField> fields) {
    ValueDecoder decoder = reader.decoder;
    if (value == null) {
      return null;
    }
    if (decoder == null) {
      throw new RecordRejected(
          "type-mismatch",
          column,
          "the table's column is of type %s, which holds no values of source type %s; declare the column's source type, or change the table"
              .formatted(columns.get(reader.ordinal).type(), reader.source));
    }
    try {
      return decoder.decode(value);
    } catch (ValueRejected rejected) {
      seen.untyped(column, reader.source, value, fields);
      throw new RecordRejected(rejected.code().text(), column, rejected.reason());
    }
  }

  private Map<String, Reader> typed(List<SourceField> fields) {
    return bySchema.computeIfAbsent(
        fields,
        all -> {
          Map<String, Reader> readers = new HashMap<>();
          for (SourceField field : all) {
            SourceType source = declaredOr(field.name(), told(field));
            seen.typed(
                new SourceField(field.name(), source, field.presence(), field.defaultValue()));
            readers.put(field.name(), reader(field.name(), source));
          }
          return readers;
        });
  }

  /**
   * The type that a feed tells of a column. One of text tells no more than the column itself, where
   * the table reads the same text as another type.
   */
  private SourceType told(SourceField field) {
    if (plan.feed().envelope().values().form() == RowValues.Form.TYPED) {
      return field.type();
    }
    for (Types.NestedField column : columns) {
      if (column.name().equals(field.name()) && !holds(column, field.type())) {
        return Plain.INFERRED;
      }
    }
    return field.type();
  }

  private static boolean holds(Types.NestedField column, SourceType source) {
    try {
      ValueDecoder.decoder(column.name(), source, column.type());
      return true;
    } catch (RowmarkException e) {
      return false;
    }
  }

  private Reader reader(Map<String, Reader> readers, String column) {
    return readers.computeIfAbsent(column, name -> reader(name, declaredOr(name, Plain.INFERRED)));
  }

  private SourceType declaredOr(String column, SourceType otherwise) {
    ColumnDeclaration declared = plan.declared().get(column);
    SourceType type = declared == null ? null : declared.type();
    return type == null ? otherwise : type;
  }

  private Reader reader(String column, SourceType source) {
    Recognizer recognizer = plan.unavailable().recognizer(source);
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        SourceType asStored = grown(source, columns.get(i));
        return new Reader(i, asStored, decoder(column, asStored, columns.get(i)), recognizer);
      }
    }
    return new Reader(-1, source, null, recognizer);
  }

  /** An int that its table has outgrown is read as the long it has become. */
  private static SourceType grown(SourceType source, Types.NestedField target) {
    return source == Plain.INT && target.type().typeId() == TypeID.LONG ? Plain.LONG : source;
  }

  private @Nullable ValueDecoder decoder(
      String column, SourceType source, Types.NestedField target) {
    RowValues values = plan.feed().envelope().values();
    Fraction fraction = plan.feed().fraction();
    try {
      ValueDecoder decoder =
          values.form() == RowValues.Form.TEXT
              ? TextValues.decoder(column, source, target.type(), fraction, values.zeroDates())
              : ValueDecoder.decoder(column, source, target.type(), fraction);
      return NestedRows.of(decoder, target.type());
    } catch (RowmarkException e) {
      return null;
    }
  }
}
