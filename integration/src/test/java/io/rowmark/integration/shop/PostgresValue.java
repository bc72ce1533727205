package io.rowmark.integration.shop;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * One value as PostgreSQL's {@code row_to_json} writes it.
 *
 * @param token what JSON makes of it; strings are unquoted, everything else is the raw text
 */
record PostgresValue(JsonToken token, String text) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS");
  private static final Pattern INTERVAL =
      Pattern.compile(
          "(?:(\\d+) years? ?)?(?:(\\d+) mons? ?)?(?:(\\d+) days? ?)?(?:(\\d+):(\\d+):(\\d+))?");

  /** PostgreSQL types whose text does not say what they are. */
  enum Kind {
    TIME,
    INTERVAL,
    BIT,
    MONEY,
    OTHER
  }

  /**
   * The value as Iceberg's generic reader gives it, by the mapping of docs/types.md.
   *
   * @return null for SQL null
   */
  Object as(Type type, Kind kind) {
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    return switch (type.typeId()) {
      case BOOLEAN -> token == JsonToken.VALUE_TRUE;
      case INTEGER -> Integer.valueOf(text);
      case LONG -> kind == Kind.INTERVAL ? intervalMicros() : Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case DECIMAL ->
          new BigDecimal(kind == Kind.MONEY ? amount() : text)
              .setScale(((Types.DecimalType) type).scale());
      case DATE -> LocalDate.parse(text);
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC()
              ? OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC)
              : LocalDateTime.parse(text);
      case BINARY -> ByteBuffer.wrap(kind == Kind.BIT ? littleEndianBits() : bytea());
      case STRING ->
          switch (kind) {
            case TIME -> MICROS.format(LocalTime.parse(text));
            case MONEY -> amount();
            default -> text;
          };
      case LIST -> list(type.asListType().elementType());
      default -> throw new IllegalStateException("No mapping for " + type);
    };
  }

  private String amount() {
    return text.replace("$", "").replace(",", "");
  }

  private byte[] bytea() {
    return HexFormat.of().parseHex(text.substring("\\x".length()));
  }

  /** As Debezium writes them: the lowest bits first, no empty bytes at the end. */
  private byte[] littleEndianBits() {
    byte[] big = new BigInteger(text, 2).toByteArray();
    int start = big[0] == 0 ? 1 : 0;
    byte[] little = new byte[big.length - start];
    for (int i = 0; i < little.length; i++) {
      little[i] = big[big.length - 1 - i];
    }
    return little;
  }

  /** Debezium's MicroDuration counts a month as 365.25/12 = 30.4375 days. */
  private long intervalMicros() {
    Matcher parts = INTERVAL.matcher(text);
    if (!parts.matches()) {
      throw new IllegalStateException("No interval: " + text);
    }
    long months = part(parts, 1) * 12 + part(parts, 2);
    long tenThousandthsOfDays = months * 304_375 + part(parts, 3) * 10_000;
    long seconds = part(parts, 4) * 3600 + part(parts, 5) * 60 + part(parts, 6);
    return tenThousandthsOfDays * 8_640_000 + seconds * 1_000_000;
  }

  private static long part(Matcher parts, int group) {
    return parts.group(group) == null ? 0 : Long.parseLong(parts.group(group));
  }

  private List<Object> list(Type element) {
    List<Object> values = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(text)) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        values.add(
            new PostgresValue(parser.currentToken(), parser.getText()).as(element, Kind.OTHER));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return values;
  }
}
