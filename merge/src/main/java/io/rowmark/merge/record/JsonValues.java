package io.rowmark.merge.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into plain Java values without losing anything: whole numbers of any size, fractions
 * as decimals, the sign of zero. A name given twice in one object is an error.
 */
final class JsonValues {
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(100_000)
                  .build())
          .build();

  private JsonValues() {}

  /** The value at the parser's current token, which is consumed. */
  static @Nullable Object read(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> whole(parser);
      case VALUE_NUMBER_FLOAT -> fraction(parser);
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case VALUE_NULL -> null;
      default -> throw new IOException("Unexpected token " + token);
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, read(parser));
    }
    return fields;
  }

  private static List<@Nullable Object> array(JsonParser parser) throws IOException {
    List<@Nullable Object> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(read(parser));
    }
    return items;
  }

  private static Object whole(JsonParser parser) throws IOException {
    Number number = parser.getNumberValue();
    boolean negativeZero = number.equals(0) && parser.getText().startsWith("-");
    return negativeZero ? Double.valueOf(-0.0) : number;
  }

  private static Object fraction(JsonParser parser) throws IOException {
    BigDecimal number = parser.getDecimalValue();
    boolean negativeZero = number.signum() == 0 && parser.getText().startsWith("-");
    return negativeZero ? Double.valueOf(-0.0) : number;
  }
}
