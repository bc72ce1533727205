package io.rowmark.integration.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/**
 * Events of the orders table as Debezium's connector for PostgreSQL makes them, the same in every
 * format: by seed, 80 % updates, 10 % inserts and 10 % deletes of uniform keys.
 */
final class OrderEvents {
  private static final String TEXT = "\"string\"";
  private static final String LONG = "\"long\"";
  private static final JsonFactory JSON = new JsonFactory();
  private static final String[] STATUS = {"new", "paid", "packed", "sent", "returned", "closed"};

  static final Schema ENVELOPE =
      new Schema.Parser()
          .parse(
              record(
                  "bench.public.orders.Envelope",
                  field("before", orNull(value())),
                  field("after", orNull("\"bench.public.orders.Value\"")),
                  field(
                      "source",
                      record(
                          "io.debezium.connector.postgresql.Source",
                          field("version", TEXT),
                          field("connector", TEXT),
                          field("name", TEXT),
                          field("ts_ms", LONG),
                          field("snapshot", orNull(TEXT)),
                          field("db", TEXT),
                          field("sequence", orNull(TEXT)),
                          field("ts_us", orNull(LONG)),
                          field("ts_ns", orNull(LONG)),
                          field("schema", TEXT),
                          field("table", TEXT),
                          field("txId", orNull(LONG)),
                          field("lsn", orNull(LONG)),
                          field("xmin", orNull(LONG)))),
                  field(
                      "transaction",
                      orNull(
                          record(
                              "event.block",
                              field("id", TEXT),
                              field("total_order", LONG),
                              field("data_collection_order", LONG)))),
                  field("op", TEXT),
                  field("ts_ms", orNull(LONG))));

  /** The Connect schema that the JSON converter repeats in every event. */
  static final String CONNECT_SCHEMA = connect(ENVELOPE, null);

  private final Random random;
  private final long keys;
  private long lsn;

  /**
   * @param keys how many keys there are
   * @param firstLsn position of the first event; others follow
   */
  OrderEvents(long seed, long keys, long firstLsn) {
    this.random = new Random(seed);
    this.keys = keys;
    this.lsn = firstLsn;
  }

  private static String value() {
    return record(
        "bench.public.orders.Value",
        field("order_id", LONG),
        field("customer_id", orNull(LONG)),
        field("status", orNull(TEXT)),
        field(
            "amount",
            orNull(
                """
                {"type": "bytes", "logicalType": "decimal", "precision": 12, "scale": 2,
                 "connect.name": "org.apache.kafka.connect.data.Decimal", "connect.version": 1,
                 "connect.parameters": {"scale": "2", "connect.decimal.precision": "12"}}""")),
        field(
            "updated_at",
            orNull(
                """
                {"type": "long", "connect.name": "io.debezium.time.MicroTimestamp",
                 "connect.version": 1}""")),
        field("note", orNull(TEXT)));
  }

  private static String record(String name, String... fields) {
    int dot = name.lastIndexOf('.');
    return "{\"type\": \"record\", \"name\": \"%s\", \"namespace\": \"%s\", \"fields\": [%s]}"
        .formatted(name.substring(dot + 1), name.substring(0, dot), String.join(", ", fields));
  }

  private static String field(String name, String type) {
    return "{\"name\": \"%s\", \"type\": %s}".formatted(name, type);
  }

  private static String orNull(String type) {
    return "[\"null\", %s]".formatted(type);
  }

  /** The next event. */
  GenericRecord next() {
    int dice = random.nextInt(10);
    long key = (long) (random.nextDouble() * keys);
    String op = dice == 0 ? "d" : dice == 1 ? "c" : "u";
    GenericRecord event = new GenericData.Record(ENVELOPE);
    Schema value = ENVELOPE.getField("before").schema().getTypes().get(1);
    GenericRecord row = new GenericData.Record(value);
    row.put("order_id", key);
    if (op.equals("d")) {
      event.put("before", row);
    } else {
      event.put("after", row);
      row.put("customer_id", (long) random.nextInt(1_000_003));
      row.put("status", STATUS[random.nextInt(STATUS.length)]);
      row.put(
          "amount", ByteBuffer.wrap(BigInteger.valueOf(random.nextInt(100_000_000)).toByteArray()));
      row.put("updated_at", 1_700_000_000_000_000L + lsn);
      row.put("note", "order %016x and some more words to be read".formatted(random.nextLong()));
    }
    event.put("source", source());
    GenericRecord transaction =
        new GenericData.Record(ENVELOPE.getField("transaction").schema().getTypes().get(1));
    transaction.put("id", "%d:%d".formatted(lsn / 4, lsn));
    transaction.put("total_order", 1 + lsn % 4);
    transaction.put("data_collection_order", 1 + lsn % 4);
    event.put("transaction", transaction);
    event.put("op", op);
    event.put("ts_ms", 1_700_000_000_000L + lsn / 1000);
    lsn++;
    return event;
  }

  private GenericRecord source() {
    GenericRecord source = new GenericData.Record(ENVELOPE.getField("source").schema());
    source.put("version", "3.6.1.Final");
    source.put("connector", "postgresql");
    source.put("name", "bench");
    source.put("ts_ms", 1_700_000_000_000L + lsn / 1000);
    source.put("snapshot", "false");
    source.put("db", "bench");
    source.put("sequence", "[\"%d\",\"%d\"]".formatted(lsn / 4 * 4, lsn));
    source.put("ts_us", 1_700_000_000_000_000L + lsn);
    source.put("ts_ns", (1_700_000_000_000_000L + lsn) * 1000);
    source.put("schema", "public");
    source.put("table", "orders");
    source.put("txId", lsn / 4);
    source.put("lsn", lsn);
    return source;
  }

  /** Writes an event as the JSON converter does without schemas. */
  static void json(GenericRecord event, Writer out) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      write(event, generator);
    }
    out.write(text.toString());
  }

  private static void write(Object value, JsonGenerator out) throws IOException {
    if (value == null) {
      out.writeNull();
    } else if (value instanceof GenericRecord record) {
      out.writeStartObject();
      for (Schema.Field field : record.getSchema().getFields()) {
        out.writeFieldName(field.name());
        write(record.get(field.pos()), out);
      }
      out.writeEndObject();
    } else if (value instanceof ByteBuffer bytes) {
      out.writeBinary(bytes.array());
    } else if (value instanceof Long number) {
      out.writeNumber(number);
    } else {
      out.writeString(value.toString());
    }
  }

  private static String connect(Schema schema, String field) {
    Schema bare = schema.isUnion() ? schema.getTypes().get(1) : schema;
    StringBuilder text = new StringBuilder("{");
    if (bare.getType() == Schema.Type.RECORD) {
      text.append("\"type\":\"struct\",\"fields\":[");
      String comma = "";
      for (Schema.Field member : bare.getFields()) {
        text.append(comma).append(connect(member.schema(), member.name()));
        comma = ",";
      }
      text.append("],\"name\":\"").append(bare.getFullName()).append('"');
    } else {
      text.append("\"type\":\"%s\"".formatted(connectType(bare)));
      if (bare.getProp("connect.name") != null) {
        text.append(",\"version\":1,\"name\":\"").append(bare.getProp("connect.name")).append('"');
      }
      if (bare.getLogicalType() != null) {
        text.append(",\"parameters\":{\"scale\":\"2\",\"connect.decimal.precision\":\"12\"}");
      }
    }
    text.append(",\"optional\":").append(schema.isUnion());
    if (field != null) {
      text.append(",\"field\":\"").append(field).append('"');
    }
    return text.append('}').toString();
  }

  private static String connectType(Schema schema) {
    return switch (schema.getType()) {
      case LONG -> "int64";
      case BYTES -> "bytes";
      case STRING -> "string";
      default -> throw new IllegalStateException("type " + schema.getType());
    };
  }
}
