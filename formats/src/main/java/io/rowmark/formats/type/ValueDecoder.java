package io.rowmark.formats.type;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType.ListOf;
import io.rowmark.formats.type.SourceType.MapOf;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.StructOf;
import java.util.Optional;
import java.util.function.Function;
import org.apache.iceberg.types.Type;
import org.jspecify.annotations.Nullable;

/**
 * Turns one column's source values into row values, exactly or not at all. Made once per column;
 * holds no state, so that threads may share it.
 *
 * <p>Source values are what a JSON reader makes of an event: Boolean, Integer, Long, BigInteger,
 * BigDecimal, Double (for -0.0), String, List, Map; from files with binary values also byte[]. Row
 * values are, by column type: Boolean, Integer, Long, Float, Double, BigDecimal of the column's
 * scale, String (also uuid, in canonical lower case), byte[] (binary, fixed), LocalDate,
 * LocalDateTime (timestamp), Instant (timestamptz), Object[] (list; struct in field order), Map.
 */
@FunctionalInterface
public interface ValueDecoder {

  /**
   * Decodes one value.
   *
   * @param value source value; null stays null
   * @throws ValueRejected when the column cannot hold the value exactly
   */
  @Nullable Object decode(@Nullable Object value);

  /**
   * The decoder of a column.
   *
   * @param column name for messages
   * @param source how to read the values; {@link Plain#INFERRED} reads JSON kinds only, so a column
   *     of type date, timestamp, uuid or binary then needs a declaration
   * @throws RowmarkException CONFIG when no value of the source type could be stored
   */
  static ValueDecoder decoder(String column, SourceType source, Type target) {
    return decoder(column, source, target, Fraction.REJECT);
  }

  /** As {@link #decoder(String, SourceType, Type)}, with a rule for too fine a fraction. */
  static ValueDecoder decoder(String column, SourceType source, Type target, Fraction fraction) {
    if (source instanceof ListOf list && target.isListType()) {
      return NestedDecoders.list(column, list.element(), target.asListType());
    } else if (source instanceof MapOf map && target.isMapType()) {
      return NestedDecoders.map(column, map.value(), target.asMapType());
    } else if (source instanceof StructOf struct && target.isStructType()) {
      return NestedDecoders.struct(column, struct, target.asStructType());
    } else if (source == Plain.INFERRED) {
      return inferred(column, target);
    }
    Optional<SourceReader> reader = SourceReader.of(source);
    Optional<Function<Object, Object>> fit =
        reader.flatMap(found -> TargetFit.of(found.kind(), target, fraction));
    if (reader.isEmpty() || fit.isEmpty()) {
      throw RowmarkException.config(
          ("Column '%s' has the type %s in the table, which holds no values of the source type %s."
                  + " Declare the column's source type, or change the column.")
              .formatted(column, target, SourceTypes.toText(source)));
    }
    Function<Object, Object> read = reader.get().read();
    Function<Object, Object> fitted = fit.get();
    return value -> value == null ? null : fitted.apply(read.apply(value));
  }

  private static ValueDecoder inferred(String column, Type target) {
    return switch (target.typeId()) {
      case BOOLEAN -> decoder(column, Plain.BOOLEAN, target);
      case INTEGER, LONG -> decoder(column, Plain.WHOLE_NUMBER, target);
      case FLOAT, DOUBLE, DECIMAL -> decoder(column, Plain.FRACTION, target);
      case STRING -> decoder(column, Plain.STRING, target);
      case LIST -> NestedDecoders.list(column, Plain.INFERRED, target.asListType());
      case MAP -> NestedDecoders.map(column, Plain.INFERRED, target.asMapType());
      case STRUCT -> NestedDecoders.inferredStruct(column, target.asStructType());
      default ->
          throw RowmarkException.config(
              ("Column '%s' has the type %s in the table, and its events carry no types, so"
                      + " nothing says how to read it. Declare its source type.")
                  .formatted(column, target));
    };
  }
}
