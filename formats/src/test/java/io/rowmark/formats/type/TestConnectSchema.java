package io.rowmark.formats.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType.Decimal;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestConnectSchema {

  @ParameterizedTest
  @CsvSource({
    "int8,, int",
    "int16,, int",
    "int32,, int",
    "int64,, long",
    "float,, float",
    "float32,, float",
    "double,, double",
    "float64,, double",
    "boolean,, boolean",
    "string,, string",
    "bytes,, bytes",
    "int32, io.debezium.time.Date, date",
    "int32, org.apache.kafka.connect.data.Date, date",
    "int32, io.debezium.time.Time, time-millis",
    "int32, org.apache.kafka.connect.data.Time, time-millis",
    "int64, io.debezium.time.MicroTime, time-micros",
    "int64, io.debezium.time.NanoTime, time-nanos",
    "int64, io.debezium.time.Timestamp, timestamp-millis",
    "int64, org.apache.kafka.connect.data.Timestamp, timestamp-millis",
    "int64, io.debezium.time.MicroTimestamp, timestamp-micros",
    "int64, io.debezium.time.NanoTimestamp, timestamp-nanos",
    "string, io.debezium.time.ZonedTimestamp, zoned-timestamp",
    "string, io.debezium.time.ZonedTime, zoned-time",
    "string, io.debezium.time.IsoDate, iso-date",
    "string, io.debezium.time.IsoTime, iso-time",
    "string, io.debezium.time.IsoTimestamp, iso-timestamp",
    "struct, io.debezium.time.StructuredDate, structured-date",
    "struct, io.debezium.time.StructuredTime, structured-time",
    "struct, io.debezium.time.StructuredTimestamp, structured-timestamp",
    "struct, io.debezium.time.StructuredZonedTimestamp, structured-zoned-timestamp",
    "int32, io.debezium.time.Year, int",
    "int64, io.debezium.time.MicroDuration, duration-micros",
    "int64, io.debezium.time.NanoDuration, duration-nanos",
    "string, io.debezium.time.Interval, string",
    "string, io.debezium.data.Json, string",
    "string, io.debezium.data.Xml, string",
    "string, io.debezium.data.Ltree, string",
    "string, io.debezium.data.Enum, string",
    "string, io.debezium.data.EnumSet, string",
    "string, io.debezium.data.Uuid, uuid-text",
    "bytes, io.debezium.data.Bits, bits",
    "struct, io.debezium.data.VariableScaleDecimal, variable-decimal",
    "bytes, org.apache.kafka.connect.data.Decimal, 'decimal(38,0)'",
    "int64, com.example.Unknown, long",
  })
  void semanticNameDecidesAndTheBaseTypeOtherwise(String base, String name, String declaration) {
    Map<String, Object> schema =
        name == null ? Map.of("type", base) : Map.of("type", base, "name", name);
    assertThat(SourceTypes.toText(ConnectSchema.type(schema))).isEqualTo(declaration);
  }

  @Test
  void decimalTakesScaleAndPrecisionFromItsParameters() {
    assertThat(
            ConnectSchema.type(
                Map.of(
                    "type",
                    "bytes",
                    "name",
                    "org.apache.kafka.connect.data.Decimal",
                    "parameters",
                    Map.of("scale", "5", "connect.decimal.precision", "20"))))
        .isEqualTo(new Decimal(20, 5, Decimal.Encoding.BASE64));
  }

  @Test
  void bitsTakeTheirLength() {
    assertThat(
            ConnectSchema.type(
                Map.of(
                    "type",
                    "bytes",
                    "name",
                    "io.debezium.data.Bits",
                    "parameters",
                    Map.of("length", "9"))))
        .isEqualTo(new SourceType.Bits(9));
  }

  @Test
  void nestedSchemasAreRead() {
    Map<String, Object> point =
        Map.of(
            "type",
            "struct",
            "name",
            "io.debezium.data.geometry.Point",
            "fields",
            List.of(
                Map.of("type", "double", "optional", false, "field", "x"),
                Map.of("type", "bytes", "optional", true, "field", "wkb")));
    Map<String, Object> list = Map.of("type", "array", "items", point);
    Map<String, Object> map =
        Map.of("type", "map", "keys", Map.of("type", "string"), "values", list);
    assertThat(SourceTypes.toText(ConnectSchema.type(map)))
        .isEqualTo("map<list<struct<x:double,wkb:bytes>>>");
  }

  @Test
  void fieldKeepsNamePresenceAndDefault() {
    assertThat(
            ConnectSchema.field(
                Map.of("type", "string", "optional", true, "default", "DE", "field", "country")))
        .isEqualTo(new SourceField("country", SourceType.Plain.STRING, Presence.OPTIONAL, "DE"));
    assertThat(ConnectSchema.field(Map.of("type", "int64", "optional", false, "field", "id")))
        .isEqualTo(new SourceField("id", SourceType.Plain.LONG, Presence.REQUIRED, null));
  }

  @Test
  void otherThingsAreRefused() {
    assertThatThrownBy(() -> ConnectSchema.type(Map.of("type", "record")))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("An event's schema cannot be read: 'record' is no base type");
    assertThatThrownBy(() -> ConnectSchema.fields(Map.of("type", "struct")))
        .hasMessageContaining("a struct schema has no 'fields'");
    assertThatThrownBy(() -> ConnectSchema.type(Map.of("type", "array")))
        .hasMessageContaining("a nested schema is missing");
  }
}
