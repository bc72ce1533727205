package io.rowmark.merge.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.formats.type.ValueDecoder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.analysis.SimpleAnalyzer$;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Seq;

/** Nested values through Spark's own row encoder, which refuses what it does not know. */
class TestNestedRows {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.optional(1, "point", pointType(10)),
          Types.NestedField.optional(2, "points", Types.ListType.ofOptional(20, pointType(21))),
          Types.NestedField.optional(
              3, "named", Types.MapType.ofOptional(30, 31, Types.StringType.get(), pointType(32))),
          Types.NestedField.optional(
              4,
              "lists",
              Types.MapType.ofOptional(
                  40,
                  41,
                  Types.StringType.get(),
                  Types.ListType.ofOptional(42, Types.LongType.get()))));

  private static Types.StructType pointType(int id) {
    return Types.StructType.of(
        Types.NestedField.optional(id, "x", Types.DoubleType.get()),
        Types.NestedField.optional(id + 1, "note", Types.StringType.get()));
  }

  private static Row roundTrip(Map<String, Object> values) {
    Map<String, String> types =
        Map.of(
            "point", "struct<x:double,note:string>",
            "points", "list<struct<x:double,note:string>>",
            "named", "map<struct<x:double,note:string>>",
            "lists", "map<list<long>>");
    Object[] row = new Object[4];
    for (int i = 0; i < row.length; i++) {
      Types.NestedField column = SCHEMA.columns().get(i);
      SourceType source = SourceTypes.parse(types.get(column.name()));
      row[i] =
          NestedRows.of(ValueDecoder.decoder(column.name(), source, column.type()), column.type())
              .decode(values.get(column.name()));
    }
    ExpressionEncoder<Row> encoder =
        ExpressionEncoder.apply(EventRows.type(SCHEMA))
            .resolveAndBind(attributes(), SimpleAnalyzer$.MODULE$);
    Row event = EventRows.change(EventRows.INSERT, null, 0, 1, new BitSet(), row);
    return encoder.createDeserializer().apply(encoder.createSerializer().apply(event)).getStruct(8);
  }

  @SuppressWarnings("unchecked") // Scala's sequences are covariant, Java does not know
  private static Seq<Attribute> attributes() {
    return (Seq<Attribute>) (Seq<?>) DataTypeUtils.toAttributes(EventRows.type(SCHEMA));
  }

  private static Map<String, Object> point(Object x, Object note) {
    Map<String, Object> point = new HashMap<>();
    point.put("x", x);
    point.put("note", note);
    return point;
  }

  @Test
  void structsListsAndMapsArriveWithTheirValues() {
    Row row =
        roundTrip(
            Map.of(
                "point", point(1.5, "a"),
                "points", Arrays.asList(point(null, "b"), null),
                "named", Map.of("k", point(-0.0, null)),
                "lists", Map.of("l", Arrays.asList(1, null))));

    assertThat(row.getStruct(0).getDouble(0)).isEqualTo(1.5);
    assertThat(row.getStruct(0).getString(1)).isEqualTo("a");
    List<Row> points = row.getList(1);
    assertThat(points.get(0).isNullAt(0)).isTrue();
    assertThat(points.get(0).getString(1)).isEqualTo("b");
    assertThat(points.get(1)).isNull();
    Map<String, Row> named = row.getJavaMap(2);
    assertThat(named.get("k").getDouble(0)).isEqualTo(-0.0);
    assertThat(row.getJavaMap(3)).containsOnlyKeys("l");
  }

  @Test
  void nullsStayNulls() {
    Row row = roundTrip(Map.of());

    for (int i = 0; i < 4; i++) {
      assertThat(row.isNullAt(i)).isTrue();
    }
  }
}
