package io.rowmark.merge.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.SchemaEvolution.AddColumn;
import io.rowmark.formats.type.SchemaEvolution.Conflict;
import io.rowmark.formats.type.SchemaEvolution.Step;
import io.rowmark.formats.type.SchemaEvolution.WidenColumn;
import io.rowmark.merge.spec.ReadersSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import io.rowmark.merge.spec.TableSpec.Mode;
import io.rowmark.merge.spec.TableSpec.SchemaPolicy;
import io.rowmark.merge.spec.TableSpec.TruncatePolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestTableShape {
  private static final Schema ORDERS =
      new Schema(
          Types.NestedField.required(1, "id", Types.IntegerType.get()),
          Types.NestedField.optional(2, "amount", Types.DecimalType.of(10, 2)));
  private static final Type LINES =
      Types.ListType.ofOptional(
          1,
          Types.StructType.of(
              Types.NestedField.optional(2, "sku", Types.StringType.get()),
              Types.NestedField.optional(
                  3,
                  "tags",
                  Types.MapType.ofOptional(4, 5, Types.StringType.get(), Types.StringType.get()))));

  @TempDir Path folder;

  private static TableSpec spec(SchemaPolicy policy) {
    return spec(policy, Map.of());
  }

  private static TableSpec spec(SchemaPolicy policy, Map<String, ColumnDeclaration> columns) {
    return new TableSpec(
        "orders",
        "shop.orders",
        Mode.KEYED,
        List.of("id"),
        columns,
        List.of(),
        Map.of(),
        policy,
        TruncatePolicy.APPLY,
        TableFeed.WHOLE_TOPIC,
        new ReadersSpec(
            Audience.of(List.of("spark"), List.of(), CapabilityData.bundled()), Wishes.NONE));
  }

  private static TableShape missing(SchemaPolicy policy, int formatVersion) {
    return shape(spec(policy), null, formatVersion);
  }

  private static TableShape shape(TableSpec spec, @Nullable Table table, int formatVersion) {
    return TableShape.of(new TablePlan(spec, table, null, null, formatVersion, List.of()));
  }

  private TableShape existing(SchemaPolicy policy, int formatVersion) {
    return shape(spec(policy), table(formatVersion), formatVersion);
  }

  private Table table(int formatVersion) {
    return new HadoopTables(new Configuration())
        .create(
            ORDERS,
            PartitionSpec.unpartitioned(),
            Map.of("format-version", Integer.toString(formatVersion)),
            folder.toUri().toString());
  }

  private static AddColumn add(String name, Type type) {
    return new AddColumn(name, type, null);
  }

  private static WidenColumn widenId() {
    return new WidenColumn("id", Types.IntegerType.get(), Types.LongType.get());
  }

  @Test
  void aNewTableRequiresItsKeyColumnsAndNoOthers() {
    TableShape shape =
        missing(SchemaPolicy.EVOLVE, 3)
            .evolve(List.of(add("note", Types.StringType.get()), add("id", Types.LongType.get())));
    Types.NestedField id = shape.schema().findField("id");
    assertThat(id.isRequired()).isTrue();
    assertThat(shape.schema().findField("note").isOptional()).isTrue();
    assertThat(shape.schema().identifierFieldIds()).containsExactly(id.fieldId());
    assertThat(shape.table()).isNull();
    assertThat(shape.steps()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(SchemaPolicy.class)
  void aNewTableTakesItsColumnsUnderEveryPolicy(SchemaPolicy policy) {
    TableShape shape = missing(policy, 2).evolve(List.of(add("id", Types.LongType.get())));
    assertThat(shape.schema().columns()).hasSize(1);
  }

  @Test
  void aColumnOfANewTableGrowsBeforeTheTableIsMade() {
    TableShape shape =
        missing(SchemaPolicy.EVOLVE, 3)
            .evolve(List.of(add("id", Types.IntegerType.get())))
            .evolve(List.of(widenId(), add("note", Types.StringType.get())));
    Types.NestedField id = shape.schema().findField("id");
    assertThat(id.type()).isEqualTo(Types.LongType.get());
    assertThat(id.isRequired()).isTrue();
    assertThat(shape.schema().identifierFieldIds()).containsExactly(id.fieldId());
    assertThat(names(shape.schema())).containsExactly("id", "note");
  }

  @Test
  void nestedColumnsOfANewTableHaveIdsOfTheirOwn() {
    TableShape shape =
        missing(SchemaPolicy.EVOLVE, 3)
            .evolve(
                List.of(add("lines", LINES), add("id", Types.LongType.get()), add("more", LINES)))
            .evolve(List.of(add("late", LINES)));
    assertIdsDiffer(shape.schema());
  }

  @Test
  void nestedColumnsOfAnExistingTableHaveIdsOfTheirOwn() {
    TableShape shape =
        existing(SchemaPolicy.EVOLVE, 3)
            .evolve(List.of(add("lines", LINES)))
            .evolve(List.of(add("more", LINES)));
    assertIdsDiffer(shape.schema());
  }

  /** Counts fields with all their nested ones, and the ids among them. */
  private static void assertIdsDiffer(Schema schema) {
    List<Integer> ids = new ArrayList<>();
    schema.columns().forEach(column -> collect(column, ids));
    assertThat(ids).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    assertThat(TypeUtil.indexById(schema.asStruct())).hasSameSizeAs(ids);
  }

  private static void collect(Types.NestedField field, List<Integer> ids) {
    ids.add(field.fieldId());
    if (field.type().isNestedType()) {
      field.type().asNestedType().fields().forEach(inner -> collect(inner, ids));
    }
  }

  @Test
  void aKeyOfFloatingPointIsRefusedInANewTable() {
    TableShape shape = missing(SchemaPolicy.EVOLVE, 3);
    assertThatThrownBy(() -> shape.evolve(List.of(add("id", Types.DoubleType.get()))))
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "Key column 'id' of table shop.orders has the type double. Floating-point values have no exact equality (NaN, -0.0), so they cannot be keys. Choose other key columns, or declare the column as decimal or string.");
  }

  @Test
  void defaultsOfTheSourceAreKeptOnVersion3() {
    Step step = new AddColumn("state", Types.StringType.get(), Expressions.lit("new"));
    TableShape created =
        missing(SchemaPolicy.EVOLVE, 3).evolve(List.of(add("id", Types.LongType.get()), step));
    TableShape evolved = existing(SchemaPolicy.EVOLVE, 3).evolve(List.of(step));
    assertThat(List.of(created, evolved))
        .extracting(shape -> shape.schema().findField("state"))
        .allSatisfy(
            state -> {
              assertThat(state.initialDefault()).isEqualTo("new");
              assertThat(state.writeDefault()).isEqualTo("new");
              assertThat(state.isOptional()).isTrue();
            });
  }

  @Test
  void aDeclaredDefaultWinsOverTheSources() {
    TableSpec spec =
        spec(SchemaPolicy.EVOLVE, Map.of("state", new ColumnDeclaration(null, "open")));
    Step step = new AddColumn("state", Types.StringType.get(), Expressions.lit("new"));
    TableShape created =
        shape(spec, null, 3).evolve(List.of(add("id", Types.LongType.get()), step));
    assertThat(created.schema().findField("state").initialDefault()).isEqualTo("open");
    TableShape evolved = shape(spec, table(3), 3).evolve(List.of(step));
    assertThat(evolved.schema().findField("state").initialDefault()).isEqualTo("open");
  }

  @Test
  void version2HasNoDefaultsAndIsAskedForNone() {
    TableSpec spec =
        spec(SchemaPolicy.EVOLVE, Map.of("state", new ColumnDeclaration(null, "open")));
    Step step = new AddColumn("state", Types.StringType.get(), Expressions.lit("new"));
    TableShape created =
        shape(spec, null, 2).evolve(List.of(add("id", Types.LongType.get()), step));
    TableShape evolved = shape(spec, table(2), 2).evolve(List.of(step));
    assertThat(List.of(created, evolved))
        .extracting(shape -> shape.schema().findField("state"))
        .allSatisfy(
            state -> {
              assertThat(state.initialDefault()).isNull();
              assertThat(state.writeDefault()).isNull();
            });
  }

  @Test
  void evolveGathersStepsAndPutsThemIntoOneUpdate() {
    TableShape shape =
        existing(SchemaPolicy.EVOLVE, 3)
            .evolve(List.of(add("note", Types.StringType.get())))
            .evolve(
                List.of(
                    widenId(),
                    new WidenColumn(
                        "amount", Types.DecimalType.of(10, 2), Types.DecimalType.of(12, 2))));
    assertThat(names(shape.schema())).containsExactly("id", "amount", "note");
    assertThat(shape.schema().findType("id")).isEqualTo(Types.LongType.get());
    assertThat(shape.schema().findType("amount")).isEqualTo(Types.DecimalType.of(12, 2));
    assertThat(shape.schema().findField("note").isOptional()).isTrue();
    assertThat(shape.schema().findField("id").isRequired()).isTrue();
    assertThat(shape.steps()).hasSize(3);
    Table table = new HadoopTables(new Configuration()).load(folder.toUri().toString());
    assertThat(table.schema().asStruct()).isEqualTo(ORDERS.asStruct());
    UpdateSchema update = table.updateSchema();
    shape.applyTo(update);
    update.commit();
    table.refresh();
    assertThat(table.schema().asStruct()).isEqualTo(shape.schema().asStruct());
  }

  @ParameterizedTest
  @EnumSource(SchemaPolicy.class)
  void eventsThatFitChangeNothing(SchemaPolicy policy) {
    TableShape shape = existing(policy, 3);
    assertThat(shape.evolve(List.of())).isSameAs(shape);
    assertThat(shape.schema().asStruct()).isEqualTo(ORDERS.asStruct());
  }

  @Test
  void ignoreLeavesNewColumnsOut() {
    TableShape shape = existing(SchemaPolicy.IGNORE, 3);
    assertThat(shape.evolve(List.of(add("note", Types.StringType.get()), widenId())))
        .isSameAs(shape);
  }

  @Test
  void failNamesWhatTheTableLacks() {
    TableShape shape = existing(SchemaPolicy.FAIL, 3);
    assertThatThrownBy(() -> shape.evolve(List.of(add("note", Types.StringType.get()), widenId())))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.SOURCE))
        .hasMessage(
            "Events for table shop.orders have new column note string, id widened from int to long, and schema-policy is fail. Change the table, or set schema-policy to evolve or ignore.");
  }

  @ParameterizedTest
  @EnumSource(SchemaPolicy.class)
  void aConflictStopsTheBatchUnderEveryPolicy(SchemaPolicy policy) {
    Conflict conflict =
        new Conflict(
            "id", Types.IntegerType.get(), Types.StringType.get(), "Column 'id': it is a number.");
    TableShape existing = existing(policy, 3);
    TableShape missing = missing(policy, 3);
    assertThat(List.of(existing, missing))
        .allSatisfy(
            shape ->
                assertThatThrownBy(
                        () -> shape.evolve(List.of(add("note", Types.StringType.get()), conflict)))
                    .isInstanceOfSatisfying(
                        RowmarkException.class,
                        e -> assertThat(e.category()).isEqualTo(Category.SOURCE))
                    .hasMessage(
                        "Events for table shop.orders do not fit it: Column 'id': it is a number."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "12.5"})
  void aDeclaredDefaultOfAnotherTypeIsRefused(String text) {
    TableSpec spec = spec(SchemaPolicy.EVOLVE, Map.of("rank", new ColumnDeclaration(null, text)));
    TableShape shape = shape(spec, null, 3);
    assertThatThrownBy(() -> shape.evolve(List.of(add("rank", Types.IntegerType.get()))))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.CONFIG))
        .hasMessageStartingWith("The default of column 'rank' is no int: ");
  }

  private static List<String> names(Schema schema) {
    return schema.columns().stream().map(Types.NestedField::name).toList();
  }
}
