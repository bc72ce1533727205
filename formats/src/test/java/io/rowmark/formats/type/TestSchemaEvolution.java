package io.rowmark.formats.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SchemaEvolution.AddColumn;
import io.rowmark.formats.type.SchemaEvolution.Conflict;
import io.rowmark.formats.type.SchemaEvolution.Step;
import io.rowmark.formats.type.SchemaEvolution.WidenColumn;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestSchemaEvolution {
  /** Column type, type seen, and the step: none, widen to a type, or conflict. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int | int | none",
        "int | long | long",
        "int | whole-number | none",
        "long | int | none",
        "long | fraction | conflict",
        "long | double | conflict",
        "float | double | double",
        "float | fraction | none",
        "double | float | none",
        "double | whole-number | none",
        "double | long | none",
        "double | decimal(9,2) | conflict",
        "decimal(10,2) | decimal(12,2) | decimal(12, 2)",
        "decimal(10,2) | decimal(8,2) | none",
        "decimal(10,2) | decimal(10,1) | decimal(11, 2)",
        "decimal(10,2) | decimal(10,4) | conflict",
        "decimal(38,2) | decimal(38,0) | conflict",
        "decimal(10,2) | long | none",
        "decimal(10,2) | fraction | none",
        "decimal(10,2) | double | conflict",
        "decimal(38,10) | variable-decimal | none",
        "string | variable-decimal | none",
        "string | uuid | none",
        "string | long | conflict",
        "string | decimal(9,2) | conflict",
        "string | inferred | none",
        "long | string | conflict",
        "long | timestamp-micros | conflict",
        "uuid | uuid-text | none",
        "uuid | string | conflict",
        "date | timestamp-millis | conflict",
        "date | whole-number | conflict",
        "timestamp | timestamp-millis | none",
        "timestamp | timestamp-nanos | none",
        "timestamp | zoned-timestamp | conflict",
        "timestamptz | zoned-timestamp | none",
        "boolean | int | conflict",
        "binary | bits(9) | none",
      })
  void columnGrowsOnlyAsIcebergAllows(String column, String seen, String step) {
    Type have = Types.fromPrimitiveString(column);
    List<Step> steps = SchemaEvolution.steps(table("c", have), List.of(field("c", seen)));
    switch (step) {
      case "none" -> assertThat(steps).isEmpty();
      case "conflict" -> assertThat(steps).singleElement().isInstanceOf(Conflict.class);
      default ->
          assertThat(steps)
              .containsExactly(new WidenColumn("c", have, Types.fromPrimitiveString(step)));
    }
  }

  @Test
  void newColumnsAreAddedInArrivalOrder() {
    List<Step> steps =
        SchemaEvolution.steps(
            table("id", Types.LongType.get()),
            List.of(field("id", "long"), field("z", "string"), field("a", "date")));
    assertThat(steps)
        .containsExactly(
            new AddColumn("z", Types.StringType.get(), null),
            new AddColumn("a", Types.DateType.get(), null));
  }

  @Test
  void newColumnSeenWithTwoTypesTakesTheWiderOne() {
    List<SourceField> seen = List.of(field("q", "int"), field("q", "long"), field("q", "int"));
    assertThat(SchemaEvolution.steps(table("id", Types.LongType.get()), seen))
        .containsExactly(new AddColumn("q", Types.LongType.get(), null));
  }

  @Test
  void columnSeenWithSeveralTypesWidensToTheWidest() {
    Type have = Types.DecimalType.of(10, 2);
    List<SourceField> seen =
        List.of(field("d", "decimal(12,2)"), field("d", "decimal(11,2)"), field("d", "long"));
    assertThat(SchemaEvolution.steps(table("d", have), seen))
        .containsExactly(new WidenColumn("d", have, Types.DecimalType.of(12, 2)));
  }

  @Test
  void newColumnSeenWithUnlikeTypesIsAConflict() {
    List<SourceField> seen = List.of(field("q", "int"), field("q", "string"));
    assertThat(SchemaEvolution.steps(table("id", Types.LongType.get()), seen))
        .singleElement()
        .isInstanceOfSatisfying(
            Conflict.class,
            conflict -> assertThat(conflict.reason()).contains("two types in one batch"));
  }

  @Test
  void nameThatDiffersOnlyByCaseIsAConflict() {
    assertThat(
            SchemaEvolution.steps(
                table("Order", Types.StringType.get()),
                List.of(field("Order", "string"), field("order", "string"))))
        .singleElement()
        .isInstanceOfSatisfying(
            Conflict.class,
            conflict -> {
              assertThat(conflict.name()).isEqualTo("order");
              assertThat(conflict.reason())
                  .isEqualTo(
                      "Column 'order': its name differs only by case from 'Order', which engines"
                          + " that ignore case cannot tell apart; rename one of them.");
            });
  }

  @Test
  void twoNewNamesThatDifferOnlyByCaseAreAConflict() {
    assertThat(
            SchemaEvolution.steps(
                table("id", Types.LongType.get()), List.of(field("a", "int"), field("A", "int"))))
        .hasExactlyElementsOfTypes(AddColumn.class, Conflict.class);
  }

  @Test
  void elementsAndValuesWidenUnderTheirFullNames() {
    Schema table =
        new Schema(
            Types.NestedField.optional(
                1, "l", Types.ListType.ofOptional(2, Types.IntegerType.get())),
            Types.NestedField.optional(
                3,
                "m",
                Types.MapType.ofOptional(4, 5, Types.StringType.get(), Types.FloatType.get())));
    assertThat(
            SchemaEvolution.steps(
                table, List.of(field("l", "list<long>"), field("m", "map<double>"))))
        .containsExactly(
            new WidenColumn("l.element", Types.IntegerType.get(), Types.LongType.get()),
            new WidenColumn("m.value", Types.FloatType.get(), Types.DoubleType.get()));
  }

  @Test
  void nestedFieldThatTheStructLacksIsAConflict() {
    Type have = Types.StructType.of(Types.NestedField.optional(2, "a", Types.IntegerType.get()));
    assertThat(
            SchemaEvolution.steps(
                table("s", have), List.of(field("s", "struct<a:int,b:int,c:inferred>"))))
        .singleElement()
        .isInstanceOfSatisfying(
            Conflict.class, conflict -> assertThat(conflict.name()).isEqualTo("s.b"));
  }

  @Test
  void sourceDefaultBecomesALiteral() {
    assertThat(addedDefault("string", "DE")).isEqualTo("DE");
    assertThat(addedDefault("int", 7)).isEqualTo(7);
    assertThat(addedDefault("date", -1)).isEqualTo(-1);
    assertThat(addedDefault("timestamp-millis", 1L)).isEqualTo(1000L);
    assertThat(addedDefault("decimal(20,5)", "AYah")).hasToString("1.00001");
    assertThat(addedDefault("timestamp-micros", 9223372036825200000L)).isNull();
    assertThat(addedDefault("list<int>", new java.util.ArrayList<>(List.of(1)))).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "boolean | true | true",
        "int | -7 | -7",
        "long | 9007199254740993 | 9007199254740993",
        "float | -Infinity | -Infinity",
        "double | 1e3 | 1000.0",
        "decimal(9,2) | 1.5 | 1.50",
        "string | yes | yes",
        "date | 1969-12-31 | -1",
        "timestamp | 9999-12-31T23:59:59.999999 | 253402300799999999",
        "timestamp | 1969-12-31T23:59:59.999999 | -1",
        "timestamptz | 1970-01-01T00:00:00+01:00 | -3600000000",
        "uuid | AAAAAAAA-0000-4000-8000-000000000001 | aaaaaaaa-0000-4000-8000-000000000001",
      })
  void declaredDefaultIsReadByTheColumnsType(String type, String text, String value) {
    Literal<?> literal = ColumnDefault.ofText("c", text, Types.fromPrimitiveString(type));
    assertThat(literal.value().toString()).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"boolean | yes", "int | 1.5", "int | x", "date | tomorrow", "decimal(3,2) | 100"})
  void declaredDefaultOfAnotherTypeIsRefused(String type, String text) {
    assertThatThrownBy(() -> ColumnDefault.ofText("c", text, Types.fromPrimitiveString(type)))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("The default of column 'c' is no ")
        .hasMessageContaining("Correct it or leave it out.");
  }

  @ParameterizedTest
  @CsvSource({"double, NaN", "list<int>, 1"})
  void defaultThatIcebergHasNotIsRefused(String source, String text) {
    Type type = ColumnTypes.icebergType(SourceTypes.parse(source));
    assertThatThrownBy(() -> ColumnDefault.ofText("c", text, type))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("'c'");
  }

  private static @Nullable Object addedDefault(String type, Serializable value) {
    SourceField field = new SourceField("d", SourceTypes.parse(type), Presence.OPTIONAL, value);
    Step step = SchemaEvolution.steps(table("id", Types.LongType.get()), List.of(field)).get(0);
    Literal<?> literal = ((AddColumn) step).defaultValue();
    return literal == null ? null : Objects.requireNonNull(literal.value());
  }

  private static Schema table(String name, Type type) {
    return new Schema(Types.NestedField.optional(1, name, type));
  }

  private static SourceField field(String name, String type) {
    return new SourceField(name, SourceTypes.parse(type), Presence.OPTIONAL, null);
  }
}
