package io.rowmark.integration.feeds;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** Avro values of the records of a case, which give bytes as base64 or decimals as numbers. */
final class AvroValue {
  private AvroValue() {}

  static GenericRecord record(Schema schema, JsonNode node, boolean base64) {
    return (GenericRecord) of(schema, node, base64);
  }

  private static Object of(Schema schema, JsonNode node, boolean base64) {
    return switch (schema.getType()) {
      case UNION -> union(schema, node, base64);
      case RECORD -> {
        GenericData.Record record = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
          JsonNode member = node.get(field.name());
          record.put(field.pos(), member == null ? null : of(field.schema(), member, base64));
        }
        yield record;
      }
      case ARRAY -> {
        List<Object> items = new ArrayList<>();
        node.forEach(item -> items.add(of(schema.getElementType(), item, base64)));
        yield items;
      }
      case BYTES -> bytes(schema, node, base64);
      case INT ->
          node.isTextual()
              ? (int)
                  LocalTime.parse(node.asText())
                      .getLong(java.time.temporal.ChronoField.MILLI_OF_DAY)
              : node.intValue();
      case LONG ->
          node.isTextual()
              ? (Object)
                  ChronoUnit.MICROS.between(
                      LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC),
                      LocalDateTime.parse(node.asText()))
              : (Object) node.longValue();
      case BOOLEAN -> node.booleanValue();
      case DOUBLE -> node.doubleValue();
      case STRING -> node.asText();
      default -> throw new IllegalArgumentException("type " + schema.getType());
    };
  }

  private static Object union(Schema schema, JsonNode node, boolean base64) {
    if (node.isNull()) {
      return null;
    }
    for (Schema branch : schema.getTypes()) {
      boolean text = branch.getType() == Schema.Type.STRING;
      boolean fits =
          schema.getTypes().size() == 2 && schema.isNullable() || text == node.isTextual();
      if (branch.getType() != Schema.Type.NULL && fits) {
        return of(branch, node, base64);
      }
    }
    throw new IllegalArgumentException("no branch of " + schema + " for " + node);
  }

  private static ByteBuffer bytes(Schema schema, JsonNode node, boolean base64) {
    try {
      if (base64) {
        return ByteBuffer.wrap(node.binaryValue());
      }
      int scale = ((Number) schema.getObjectProp("scale")).intValue();
      return ByteBuffer.wrap(
          new BigDecimal(node.asText()).setScale(scale).unscaledValue().toByteArray());
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
