package io.rowmark.merge.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.type.ColumnTypes;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.formats.type.ValueDecoder;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of Avro and Parquet files, down to what a row gets. */
class TestFileValues {
  @TempDir private Path folder;

  /** Type and row value of each column of the only record. */
  private static Map<String, Object> row(RecordReader reader, Map<String, String> types)
      throws IOException {
    try (reader) {
      assertThat(reader.next()).isTrue();
      SourceRecord.Fields record = (SourceRecord.Fields) reader.record();
      Map<String, Object> row = new TreeMap<>();
      for (SourceField field : record.types().fields()) {
        types.put(field.name(), SourceTypes.toText(field.type()));
        row.put(
            field.name(),
            ValueDecoder.decoder(field.name(), field.type(), ColumnTypes.icebergType(field.type()))
                .decode(record.values().get(field.name())));
      }
      assertThat(reader.place()).isEqualTo(1);
      assertThat(reader.next()).isFalse();
      return row;
    }
  }

  private Map<String, Object> avro(
      String fields, Map<String, Object> values, Map<String, String> types) throws IOException {
    Schema schema =
        new Schema.Parser()
            .parse("{\"type\":\"record\",\"name\":\"R\",\"fields\":[%s]}".formatted(fields));
    GenericRecord record = new GenericData.Record(schema);
    values.forEach(record::put);
    Path file = folder.resolve("f.avro");
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, file.toFile());
      writer.append(record);
    }
    InputStream in = Files.newInputStream(file);
    return row(new AvroRecords(slice(file), in), types);
  }

  private static Slice slice(Path file) throws IOException {
    return new Slice(
        file.toUri().toString(), "f", 0, 0, Files.size(file), Slice.Place.RECORD_NUMBER, -1);
  }

  private static String field(String name, String type) {
    return "{\"name\":\"%s\",\"type\":%s}".formatted(name, type);
  }

  private static String logical(String base, String logical) {
    return "[\"null\",{\"type\":\"%s\",\"logicalType\":\"%s\"}]".formatted(base, logical);
  }

  @Test
  void avroLogicalTypesAreExact() throws IOException {
    Map<String, String> types = new TreeMap<>();
    Map<String, Object> row =
        avro(
            String.join(
                ",",
                field("d", logical("int", "date")),
                field("im", logical("long", "timestamp-millis")),
                field("iu", logical("long", "timestamp-micros")),
                field("lu", logical("long", "local-timestamp-micros")),
                field("tu", logical("long", "time-micros")),
                field("u", logical("string", "uuid")),
                field(
                    "n",
                    "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":38,\"scale\":3}"),
                field("raw", "\"bytes\""),
                field("e", "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"A\",\"B\"]}"),
                field("l", "{\"type\":\"array\",\"items\":[\"null\",\"long\"]}"),
                field("f", "\"float\"")),
            Map.ofEntries(
                Map.entry("d", -1),
                Map.entry("im", -1L),
                Map.entry("iu", 253402300799999999L),
                Map.entry("lu", -1L),
                Map.entry("tu", 86399999999L),
                Map.entry("u", "3F2B8C1E-7A55-4d1e-9c0a-5b6f7e8d9a01"),
                Map.entry(
                    "n", ByteBuffer.wrap(new BigDecimal("-0.001").unscaledValue().toByteArray())),
                Map.entry("raw", ByteBuffer.wrap(new byte[] {0, -1})),
                Map.entry(
                    "e",
                    new GenericData.EnumSymbol(
                        Schema.createEnum("E", null, null, List.of("A", "B")), "B")),
                Map.entry("l", new ArrayList<>(java.util.Arrays.asList(1L, null))),
                Map.entry("f", 0.1f)),
            types);
    assertThat(types)
        .containsEntry("im", "instant-millis")
        .containsEntry("lu", "timestamp-micros")
        .containsEntry("u", "uuid")
        .containsEntry("l", "list<long>");
    assertThat(row)
        .containsEntry("d", LocalDate.of(1969, 12, 31))
        .containsEntry("im", Instant.parse("1969-12-31T23:59:59.999Z"))
        .containsEntry("iu", Instant.parse("9999-12-31T23:59:59.999999Z"))
        .containsEntry("lu", LocalDateTime.parse("1969-12-31T23:59:59.999999"))
        .containsEntry("tu", "23:59:59.999999")
        .containsEntry("u", "3f2b8c1e-7a55-4d1e-9c0a-5b6f7e8d9a01")
        .containsEntry("n", new BigDecimal("-0.001"))
        .containsEntry("raw", new byte[] {0, -1})
        .containsEntry("e", "B")
        .containsEntry("l", new Object[] {1L, null})
        .containsEntry("f", 0.1f);
  }

  @Test
  void connectNamesDecideInAvro() throws IOException {
    Map<String, String> types = new TreeMap<>();
    Map<String, Object> row =
        avro(
            String.join(
                ",",
                field(
                    "t",
                    "{\"type\":\"long\",\"connect.name\":\"io.debezium.time.MicroTimestamp\"}"),
                field(
                    "b",
                    "{\"type\":\"bytes\",\"connect.name\":\"io.debezium.data.Bits\",\"connect.parameters\":{\"length\":\"9\"}}"),
                field(
                    "v",
                    "{\"type\":\"record\",\"name\":\"V\",\"connect.name\":\"io.debezium.data.VariableScaleDecimal\",\"fields\":[{\"name\":\"scale\",\"type\":\"int\"},{\"name\":\"value\",\"type\":\"bytes\"}]}")),
            Map.of(
                "t", -1L,
                "b", ByteBuffer.wrap(new byte[] {5, 1}),
                "v", variable()),
            types);
    assertThat(types)
        .isEqualTo(Map.of("t", "timestamp-micros", "b", "bits(9)", "v", "variable-decimal"));
    assertThat(row)
        .containsEntry("t", LocalDateTime.parse("1969-12-31T23:59:59.999999"))
        .containsEntry("b", new byte[] {5, 1})
        .containsEntry("v", "-0.01");
  }

  private static GenericRecord variable() {
    Schema schema =
        new Schema.Parser()
            .parse(
                "{\"type\":\"record\",\"name\":\"V\",\"fields\":[{\"name\":\"scale\",\"type\":\"int\"},{\"name\":\"value\",\"type\":\"bytes\"}]}");
    GenericRecord record = new GenericData.Record(schema);
    record.put("scale", 2);
    record.put("value", ByteBuffer.wrap(new byte[] {-1}));
    return record;
  }

  @Test
  void parquetTypesAreExact() throws IOException {
    MessageType type =
        MessageTypeParser.parseMessageType(
            """
            message R {
              optional int32 u32 (INTEGER(32,false));
              optional int64 u64 (INTEGER(64,false));
              optional int32 n9 (DECIMAL(9,2));
              optional int64 n18 (DECIMAL(18,4));
              optional binary n64 (DECIMAL(64,3));
              optional int64 iu (TIMESTAMP(MICROS,true));
              optional int64 lm (TIMESTAMP(MILLIS,false));
              optional int32 tm (TIME(MILLIS,true));
              optional int32 d (DATE);
              optional binary s (STRING);
              optional binary raw;
              optional fixed_len_byte_array(16) u (UUID);
              optional int96 old;
              optional group l (LIST) { repeated group list { optional int64 element; } }
              optional group m (MAP) { repeated group key_value {
                required binary key (STRING); optional double value; } }
              optional group g { optional int32 x; }
              optional group none { optional int32 x; }
            }""");
    SimpleGroup group = new SimpleGroup(type);
    group.append("u32", -1).append("u64", -1L).append("n9", -1).append("n18", 10001L);
    group.append("n64", Binary.fromConstantByteArray(new byte[] {0, 0, -1}));
    group.append("iu", -1L).append("lm", -1L).append("tm", 86399999).append("d", -1);
    group.append("s", "\ud83d\ude00").append("raw", Binary.fromConstantByteArray(new byte[] {-1}));
    group.append(
        "u",
        Binary.fromConstantByteArray(
            new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
    ByteBuffer julian = ByteBuffer.allocate(12).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    julian.putLong(86_399_999_999_000L).putInt(2_440_587);
    group.append("old", Binary.fromConstantByteArray(julian.array()));
    Group list = group.addGroup("l");
    list.addGroup("list").append("element", 1L);
    list.addGroup("list");
    group.addGroup("m").addGroup("key_value").append("key", "k").append("value", -0.0);
    group.addGroup("g").append("x", 7);
    Path file = folder.resolve("f.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
            .withType(type)
            .build()) {
      writer.write(group);
    }
    Map<String, String> types = new TreeMap<>();
    Map<String, Object> row = row(new ParquetRecords(slice(file), new Configuration()), types);
    assertThat(types)
        .containsEntry("u64", "decimal-number(20,0)")
        .containsEntry("l", "list<long>")
        .containsEntry("g", "struct<x:int>");
    assertThat(row)
        .containsEntry("u32", 4294967295L)
        .containsEntry("u64", new BigDecimal("18446744073709551615"))
        .containsEntry("n9", new BigDecimal("-0.01"))
        .containsEntry("n18", new BigDecimal("1.0001"))
        .containsEntry("n64", new BigDecimal("0.255"))
        .containsEntry("iu", Instant.parse("1969-12-31T23:59:59.999999Z"))
        .containsEntry("lm", LocalDateTime.parse("1969-12-31T23:59:59.999"))
        .containsEntry("tm", "23:59:59.999000")
        .containsEntry("d", LocalDate.of(1969, 12, 31))
        .containsEntry("s", "\ud83d\ude00")
        .containsEntry("raw", new byte[] {-1})
        .containsEntry("u", "00010203-0405-0607-0809-0a0b0c0d0e0f")
        .containsEntry("old", Instant.parse("1969-12-31T23:59:59.999999Z"))
        .containsEntry("l", new Object[] {1L, null})
        .containsEntry("m", Map.of("k", -0.0))
        .containsEntry("g", new Object[] {7})
        .containsEntry("none", null);
  }
}
