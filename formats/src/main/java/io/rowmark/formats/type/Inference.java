package io.rowmark.formats.type;

import io.rowmark.formats.type.SourceType.ListOf;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The types of values whose events carry none: what JSON itself tells, nothing guessed from the
 * text. A base64 decimal, a date as days, a timestamp as micros are text and whole numbers here,
 * until they are declared.
 */
public final class Inference {
  private Inference() {}

  /**
   * The type that one value shows; empty for a list of unlike elements.
   *
   * <p>Null, and a list of nothing but nulls, show {@link Plain#INFERRED} (in a list).
   */
  public static Optional<SourceType> of(@Nullable Object value) {
    if (value == null) {
      return Optional.of(Plain.INFERRED);
    } else if (value instanceof Boolean) {
      return Optional.of(Plain.BOOLEAN);
    } else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return Optional.of(Plain.WHOLE_NUMBER);
    } else if (value instanceof Long whole) {
      return Optional.of(whole == whole.intValue() ? Plain.WHOLE_NUMBER : Plain.LONG);
    } else if (value instanceof BigInteger) {
      return Optional.of(Plain.LONG);
    } else if (value instanceof Number) {
      return Optional.of(Plain.FRACTION);
    } else if (value instanceof List<?> list) {
      return list(list).map(ListOf::new);
    } else if (value instanceof Map<?, ?> map) {
      return struct(map);
    }
    return Optional.of(Plain.STRING);
  }

  /** The type that holds values of both; empty when there is none. */
  public static Optional<SourceType> join(SourceType one, SourceType other) {
    if (one.equals(other) || other == Plain.INFERRED) {
      return Optional.of(one);
    } else if (one == Plain.INFERRED) {
      return Optional.of(other);
    } else if (isNumber(one) && isNumber(other)) {
      boolean fraction = one == Plain.FRACTION || other == Plain.FRACTION;
      return Optional.of(fraction ? Plain.FRACTION : Plain.LONG);
    } else if (one instanceof ListOf a && other instanceof ListOf b) {
      return join(a.element(), b.element()).map(ListOf::new);
    } else if (one instanceof StructOf a && other instanceof StructOf b) {
      return join(a, b);
    }
    return Optional.empty();
  }

  private static boolean isNumber(SourceType type) {
    return type == Plain.WHOLE_NUMBER || type == Plain.LONG || type == Plain.FRACTION;
  }

  private static Optional<SourceType> list(List<?> list) {
    SourceType element = Plain.INFERRED;
    for (Object item : list) {
      SourceType before = element;
      Optional<SourceType> joined = of(item).flatMap(type -> join(before, type));
      if (joined.isEmpty()) {
        return joined;
      }
      element = joined.get();
    }
    return Optional.of(element);
  }

  private static Optional<SourceType> struct(Map<?, ?> map) {
    List<SourceField> fields = new ArrayList<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      Optional<SourceType> type = of(entry.getValue());
      if (type.isEmpty()) {
        return type;
      }
      fields.add(field(String.valueOf(entry.getKey()), type.get()));
    }
    return Optional.of(new StructOf(fields));
  }

  private static Optional<SourceType> join(StructOf one, StructOf other) {
    Map<String, SourceType> types = new LinkedHashMap<>();
    one.fields().forEach(field -> types.put(field.name(), field.type()));
    for (SourceField field : other.fields()) {
      Optional<SourceType> joined =
          join(types.getOrDefault(field.name(), Plain.INFERRED), field.type());
      if (joined.isEmpty()) {
        return joined;
      }
      types.put(field.name(), joined.get());
    }
    List<SourceField> fields = new ArrayList<>();
    types.forEach((name, type) -> fields.add(field(name, type)));
    return Optional.of(new StructOf(fields));
  }

  private static SourceField field(String name, SourceType type) {
    return new SourceField(name, type, Presence.OPTIONAL, null);
  }
}
