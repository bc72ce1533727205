package io.rowmark.formats.type;

import io.rowmark.formats.change.RowValues.ZeroDates;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceReader.Kind;
import io.rowmark.formats.type.SourceType.Decimal;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.ValueRejected.Code;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Values of feeds that write everything as text (CSV, Canal) or some of it (Maxwell, GoldenGate):
 * the column's type tells how a text is read, exactly. Values that are no text are read as in other
 * feeds.
 */
public final class TextValues {
  /** Source types whose own values are text already; they are read as declared. */
  private static final Set<Plain> OF_TEXT =
      EnumSet.of(
          Plain.STRING,
          Plain.BYTES,
          Plain.ZONED_TIMESTAMP,
          Plain.ZONED_TIME,
          Plain.ISO_DATE,
          Plain.ISO_TIME,
          Plain.ISO_TIMESTAMP,
          Plain.UUID_TEXT,
          Plain.UUID,
          Plain.VARIABLE_DECIMAL_TEXT);

  private static final Set<String> TRUE = Set.of("1", "true", "t", "y", "yes");
  private static final Set<String> FALSE = Set.of("0", "false", "f", "n", "no");
  private static final String ZERO_DATE = "0000-00-00";

  private TextValues() {}

  /**
   * The decoder of a column.
   *
   * @param source what is declared or told of the column; {@link Plain#INFERRED} for nothing
   * @throws RowmarkException CONFIG when no value of the source type could be stored
   */
  public static ValueDecoder decoder(
      String column, SourceType source, Type target, Fraction fraction, ZeroDates zeroDates) {
    if (isText(source)) {
      return ValueDecoder.decoder(column, source, target, fraction);
    }
    Function<String, Object> reader = reader(target, fraction);
    ValueDecoder other = others(column, source, target, fraction, reader);
    if (reader == null) {
      return other;
    }
    boolean zeros = zeroDates == ZeroDates.EMPTY && isTime(target);
    return value -> {
      if (value instanceof String text) {
        return zeros && text.startsWith(ZERO_DATE) ? null : reader.apply(text);
      }
      return other.decode(value);
    };
  }

  private static ValueDecoder others(
      String column,
      SourceType source,
      Type target,
      Fraction fraction,
      @Nullable Function<String, Object> reader) {
    try {
      return ValueDecoder.decoder(column, source, target, fraction);
    } catch (RowmarkException e) {
      if (reader == null) {
        throw e;
      }
      return value -> {
        if (value == null) {
          return null;
        }
        throw ValueRejected.mismatch(value, "the text of a " + target);
      };
    }
  }

  private static boolean isText(SourceType source) {
    return source instanceof Plain plain
        ? OF_TEXT.contains(plain)
        : source instanceof SourceType.Bits
            || source instanceof SourceType.VariableDecimal
            || (source instanceof Decimal decimal && decimal.encoding() == Decimal.Encoding.TEXT);
  }

  private static boolean isTime(Type target) {
    return switch (target.typeId()) {
      case DATE, TIMESTAMP, TIMESTAMP_NANO -> true;
      default -> false;
    };
  }

  /** Null where no text can be a value of the column. */
  private static @Nullable Function<String, Object> reader(Type target, Fraction fraction) {
    return switch (target.typeId()) {
      case BOOLEAN -> TextValues::bool;
      case INTEGER, LONG -> fitted(Kind.JSON_NUMBER, target, fraction, NumberReader::textDecimal);
      case FLOAT -> text -> fit(Kind.FLOAT, target, fraction, floating(text).floatValue(), text);
      case DOUBLE -> TextValues::floating;
      case DECIMAL -> fitted(Kind.DECIMAL, target, fraction, NumberReader::textDecimal);
      case DATE -> fitted(Kind.DATE, target, fraction, TimeReader::isoDate);
      case TIMESTAMP ->
          ((Types.TimestampType) target).shouldAdjustToUTC()
              ? fitted(Kind.INSTANT, target, fraction, text -> TimeReader.zonedTimestamp(iso(text)))
              : fitted(
                  Kind.LOCAL_TIMESTAMP,
                  target,
                  fraction,
                  text -> TimeReader.isoTimestamp(iso(text)));
      case STRING -> text -> text;
      case BINARY, FIXED -> fitted(Kind.BYTES, target, fraction, NumberReader::base64);
      default -> null;
    };
  }

  private static Function<String, Object> fitted(
      Kind kind, Type target, Fraction fraction, Function<String, Object> read) {
    Function<Object, Object> fit = TargetFit.of(kind, target, fraction).orElseThrow();
    return text -> fit.apply(read.apply(text));
  }

  /** A float is the nearest of the text; only its range is checked. */
  private static Object fit(Kind kind, Type target, Fraction fraction, Float value, String text) {
    if (value.isInfinite() && !NumberReader.SPECIAL.containsKey(text)) {
      throw new ValueRejected(Code.TYPE_OVERFLOW, "a number beyond the range of float");
    }
    return TargetFit.of(kind, target, fraction).orElseThrow().apply(value);
  }

  private static Double floating(String text) {
    Double special = NumberReader.SPECIAL.get(text);
    if (special != null) {
      return special;
    }
    NumberReader.textDecimal(text);
    double nearest = Double.parseDouble(text);
    if (Double.isInfinite(nearest)) {
      throw new ValueRejected(Code.TYPE_OVERFLOW, "a number beyond the range of double");
    }
    return nearest;
  }

  private static Boolean bool(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (TRUE.contains(lower)) {
      return true;
    } else if (FALSE.contains(lower)) {
      return false;
    }
    throw ValueRejected.mismatch(text, "the text of a boolean");
  }

  /** Databases write a blank where ISO has a T. */
  private static String iso(String text) {
    return text.length() > 10 && text.charAt(10) == ' '
        ? text.substring(0, 10) + 'T' + text.substring(11)
        : text;
  }
}
