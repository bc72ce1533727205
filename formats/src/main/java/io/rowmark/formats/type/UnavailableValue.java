package io.rowmark.formats.type;

import io.rowmark.formats.type.SourceType.Plain;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The placeholder that Debezium writes for a value it did not get ({@code
 * unavailable.value.placeholder}), in the form that each column type gives it. Only updates carry
 * it: in an insert or a snapshot read the same text is the user's own, so do not ask there.
 *
 * @param text the placeholder as the connector is configured; {@code hex:} gives bytes
 */
public record UnavailableValue(String text) implements Serializable {
  /** Debezium's own default. */
  public static final UnavailableValue DEBEZIUM =
      new UnavailableValue("__debezium_unavailable_value");

  private static final String HEX = "hex:";

  /** The comparison, made once per column: the forms are computed here, not per value. */
  @FunctionalInterface
  public interface Recognizer {
    /** Whether the source value stands for "not known". */
    boolean matches(@Nullable Object value);
  }

  /**
   * The recognizer for a column.
   *
   * @param source {@link Plain#INFERRED} accepts every form
   */
  public Recognizer recognizer(SourceType source) {
    byte[] bytes = bytes();
    String plain = new String(bytes, StandardCharsets.UTF_8);
    Set<String> texts = texts(bytes, plain);
    List<Integer> codes = codes(bytes);
    String uuid = java.util.UUID.nameUUIDFromBytes(bytes).toString();
    if (source instanceof SourceType.ListOf list) {
      return value ->
          value instanceof List<?> items && isList(list.element(), items, texts, codes, uuid);
    } else if (source instanceof SourceType.MapOf) {
      return value -> value instanceof Map<?, ?> map && isMap(map, plain);
    } else if (source == Plain.INFERRED) {
      return value ->
          (value instanceof String text && texts.contains(text))
              || (value instanceof List<?> items
                  && isList(Plain.INFERRED, items, texts, codes, uuid))
              || (value instanceof Map<?, ?> map && isMap(map, plain));
    }
    return value -> value instanceof String text && texts.contains(text);
  }

  private byte[] bytes() {
    return text.startsWith(HEX)
        ? HexFormat.of().parseHex(text.substring(HEX.length()))
        : text.getBytes(StandardCharsets.UTF_8);
  }

  /** As text; as bytes under each binary.handling.mode; as the JSON text of an hstore. */
  private static Set<String> texts(byte[] bytes, String plain) {
    return Set.copyOf(
        List.of(
            plain,
            Base64.getEncoder().encodeToString(bytes),
            Base64.getUrlEncoder().encodeToString(bytes),
            HexFormat.of().formatHex(bytes),
            "{\"%s\":\"%s\"}".formatted(plain, plain)));
  }

  private static List<Integer> codes(byte[] bytes) {
    List<Integer> codes = new ArrayList<>();
    for (byte code : bytes) {
      codes.add((int) code);
    }
    return List.copyOf(codes);
  }

  private static boolean isList(
      SourceType element, List<?> items, Set<String> texts, List<Integer> codes, String uuid) {
    if (items.size() == 1 && items.get(0) instanceof String only) {
      boolean uuids =
          element == Plain.UUID || element == Plain.UUID_TEXT || element == Plain.INFERRED;
      return texts.contains(only) || (uuids && only.equals(uuid));
    }
    if (items.size() != codes.size()) {
      return false;
    }
    for (int i = 0; i < codes.size(); i++) {
      if (!(items.get(i) instanceof Number number) || number.doubleValue() != codes.get(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isMap(Map<?, ?> map, String plain) {
    return map.size() == 1 && plain.equals(map.get(plain));
  }
}
