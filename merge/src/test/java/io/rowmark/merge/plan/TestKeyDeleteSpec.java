package io.rowmark.merge.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletes by key reach every old row: under the current spec only where the key says where. */
class TestKeyDeleteSpec {
  private static final TableIdentifier NAME = TableIdentifier.of("shop", "things");
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.required(2, "day", Types.DateType.get()),
          Types.NestedField.optional(3, "area", Types.StringType.get()));
  private static final KeySpec KEY = KeySpec.of("shop.things", SCHEMA, List.of("id", "day"));

  private final InMemoryCatalog catalog = new InMemoryCatalog();

  @BeforeEach
  void start() {
    catalog.initialize("memory", Map.of());
    catalog.createNamespace(Namespace.of("shop"));
  }

  private Table create(PartitionSpec spec, int version) {
    return catalog.createTable(
        NAME, SCHEMA, spec, Map.of("format-version", Integer.toString(version)));
  }

  private static PartitionSpec.Builder by() {
    return PartitionSpec.builderFor(SCHEMA);
  }

  private static void append(Table table, String partition) {
    DataFiles.Builder file =
        DataFiles.builder(table.spec())
            .withPath("memory:///" + table.spec().specId() + partition + ".parquet")
            .withFileSizeInBytes(1)
            .withRecordCount(1);
    if (!partition.isEmpty()) {
      file.withPartitionPath(partition);
    }
    table.newAppend().appendFile(file.build()).commit();
  }

  /** Decides, commits what was added to the table, and gives the table's spec of that number. */
  private PartitionSpec decided(Table table) {
    table.refresh();
    PartitionSpec before = table.spec();
    Transaction transaction = table.newTransaction();
    PartitionSpec found =
        KeyDeleteSpec.in(transaction, LiveFiles.at(table, table.currentSnapshot()), KEY);
    transaction.commitTransaction();
    Table after = catalog.loadTable(NAME);
    assertThat(after.spec()).as("the table's own spec").isEqualTo(before);
    assertThat(after.specs().get(found.specId())).isEqualTo(found);
    return found;
  }

  @Test
  void anUnpartitionedTableTakesItsOwn() {
    Table table = create(PartitionSpec.unpartitioned(), 2);
    append(table, "");
    assertThat(decided(table)).isEqualTo(table.spec());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void partitionsOfKeyColumnsAreKept(int version) {
    Table table = create(by().bucket("id", 4).month("day").build(), version);
    append(table, "id_bucket=1/day_month=682");
    assertThat(decided(table)).isEqualTo(table.spec());
    assertThat(catalog.loadTable(NAME).specs()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aColumnBesideTheKeyMakesDeletesGlobal(int version) {
    Table table = create(by().bucket("id", 4).identity("area").build(), version);
    append(table, "id_bucket=1/area=x");
    PartitionSpec added = decided(table);
    assertThat(added.fields()).isEmpty();
    assertThat(added.specId()).isEqualTo(1);
    append(table, "id_bucket=2/area=y");
    assertThat(decided(table)).as("the spec is added once").isEqualTo(added);
  }

  @Test
  void aFileOfAnOlderSpecMakesDeletesGlobal() {
    Table table = create(by().month("day").build(), 2);
    append(table, "day_month=682");
    table.updateSpec().addField("id_bucket", Expressions.bucket("id", 4)).commit();
    append(table, "day_month=682/id_bucket=1");
    PartitionSpec added = decided(table);
    assertThat(added.fields()).isEmpty();
    assertThat(catalog.loadTable(NAME).specs()).hasSize(3);
  }

  @Test
  void anUnpartitionedSpecFromBeforeIsUsed() {
    Table table = create(PartitionSpec.unpartitioned(), 2);
    append(table, "");
    table.updateSpec().addField("id_bucket", Expressions.bucket("id", 4)).commit();
    append(table, "id_bucket=1");
    assertThat(decided(table).specId()).isZero();
    assertThat(catalog.loadTable(NAME).specs()).hasSize(2);
  }

  /** Version 1 voids a field where later versions drop it. */
  @Test
  void aSpecOfVoidFieldsIsNotTakenForUnpartitioned() {
    Table table = create(by().identity("area").build(), 1);
    append(table, "area=x");
    table.updateSpec().removeField("area").commit();
    table.updateProperties().set("format-version", "2").commit();
    assertThat(table.spec().isUnpartitioned()).isTrue();
    assertThat(table.spec().fields()).hasSize(1);
    assertThat(decided(table).fields()).isEmpty();
  }

  @Test
  void anEmptyTableNeedsNoOtherSpec() {
    Table table = create(by().identity("area").build(), 3);
    assertThat(decided(table)).isEqualTo(table.spec());
    assertThat(catalog.loadTable(NAME).specs()).hasSize(1);
  }
}
