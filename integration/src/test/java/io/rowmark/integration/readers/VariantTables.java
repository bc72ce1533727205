package io.rowmark.integration.readers;

import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Makes one table of each variant: three commits of a hundred orders each, then every seventh order
 * deleted and some of these written again, so that a reader which ignores deletes returns too many
 * rows, and one which applies them to newer rows too few.
 */
record VariantTables(LocalCatalog catalog) {
  private static final int FILES = 3;
  private static final int ORDERS_IN_FILE = 100;

  /**
   * A table and what is known of it.
   *
   * @param right the live rows
   * @param deletesIgnored what a reader that knows no deletes returns
   */
  record Made(Table table, List<Order> right, List<Order> deletesIgnored) {}

  Map<Variant, Made> make() {
    Map<Variant, Made> made = new EnumMap<>(Variant.class);
    for (Variant variant : Variant.values()) {
      made.put(variant, make(variant));
    }
    return made;
  }

  private Made make(Variant variant) {
    Table table = create(variant);
    List<Order> written =
        new ArrayList<>(IntStream.range(0, FILES * ORDERS_IN_FILE).mapToObj(Order::first).toList());
    for (int file = 0; file < FILES; file++) {
      append(table, written.subList(file * ORDERS_IN_FILE, (file + 1) * ORDERS_IN_FILE));
    }
    if (variant.kinds().isEmpty()) {
      return new Made(table, written, written);
    }
    List<Order> deleted = written.stream().filter(order -> order.id() % 7 == 0).toList();
    List<Order> renewed =
        deleted.stream()
            .filter(order -> order.id() % 3 == 0)
            .map(order -> order.renewed(newRegion(variant, order)))
            .toList();
    switch (variant) {
      case V2_EQUALITY, V2_EQUALITY_ACROSS_PARTITIONS, V3_EQUALITY ->
          replace(table, List.of(new OrderFiles(table).globalDeletes(deleted)), renewed);
      case V2_EQUALITY_IN_PARTITION ->
          replace(table, new OrderFiles(table).deletesInPartition(deleted), renewed);
      case V2_POSITION, V2_POSITION_SPANNING, V3_DELETION_VECTOR -> {
        deleteWithSpark(table, "id % 7 = 0");
        append(table, renewed);
      }
      case V3_POSITION_AND_VECTOR -> {
        // File 0 keeps position deletes only, file 1 has them and a vector that took them in, file
        // 2 has a vector only.
        deleteWithSpark(table, "id < 100 AND id % 7 = 0 OR id < 200 AND id % 14 = 0");
        table
            .updateProperties()
            .set(TableProperties.FORMAT_VERSION, Integer.toString(variant.formatVersion()))
            .commit();
        deleteWithSpark(table, "id % 7 = 0");
        append(table, renewed);
      }
      case V3_PLAIN -> throw new AssertionError("It has no deletes");
    }
    List<Order> right = new ArrayList<>(written);
    right.removeAll(deleted);
    right.addAll(renewed);
    written.addAll(renewed);
    table.refresh();
    return new Made(table, right, written);
  }

  private Table create(Variant variant) {
    int formatVersion = variant == Variant.V3_POSITION_AND_VECTOR ? 2 : variant.formatVersion();
    PartitionSpec byRegion = PartitionSpec.builderFor(Order.SCHEMA).identity("region").build();
    Table table =
        catalog
            .iceberg()
            .createTable(
                id(variant),
                Order.SCHEMA,
                variant == Variant.V2_EQUALITY_IN_PARTITION
                    ? byRegion
                    : PartitionSpec.unpartitioned(),
                Map.of(
                    TableProperties.FORMAT_VERSION,
                    Integer.toString(formatVersion),
                    TableProperties.DELETE_MODE,
                    "merge-on-read",
                    TableProperties.DELETE_GRANULARITY,
                    variant == Variant.V2_POSITION ? "file" : "partition"));
    if (variant == Variant.V2_EQUALITY_ACROSS_PARTITIONS) {
      table.updateSpec().addField("region").commit();
    }
    return table;
  }

  /** A renewed order changes its partition where deletes reach across partitions. */
  private static String newRegion(Variant variant, Order order) {
    return variant == Variant.V2_EQUALITY_IN_PARTITION ? order.region() : order.nextRegion();
  }

  private static void append(Table table, List<Order> orders) {
    AppendFiles append = table.newAppend();
    new OrderFiles(table).data(orders).forEach(append::appendFile);
    append.commit();
  }

  /** In one commit, as a streaming writer does: the deletes must not reach the new rows. */
  private static void replace(Table table, List<DeleteFile> deletes, List<Order> renewed) {
    RowDelta delta = table.newRowDelta();
    deletes.forEach(delta::addDeletes);
    new OrderFiles(table).data(renewed).forEach(delta::addRows);
    delta.commit();
  }

  private static void deleteWithSpark(Table table, String condition) {
    LocalSpark.session().sql("DELETE FROM %s WHERE %s".formatted(table.name(), condition));
    table.refresh();
  }

  static TableIdentifier id(Variant variant) {
    return TableIdentifier.of("shop", variant.name().toLowerCase(Locale.ROOT));
  }
}
