package io.rowmark.integration.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/** Looks at the tables of a {@link Scene} with Iceberg alone, many times in a short while. */
final class TablesAtRest {
  private final Catalog catalog;

  TablesAtRest(Catalog catalog) {
    this.catalog = catalog;
  }

  private Table table(String name) {
    return catalog.loadTable(TableIdentifier.parse(name));
  }

  /** Amounts by id; no id may be there twice. */
  Map<Long, Long> accounts() {
    Map<Long, Long> amounts = new TreeMap<>();
    each(
        IcebergGenerics.read(table(Scene.ACCOUNTS)).build(),
        row ->
            assertThat(amounts.put((Long) row.getField("id"), (Long) row.getField("amount")))
                .as("another row of the key %s", row.getField("id"))
                .isNull());
    return amounts;
  }

  /** Ids in ascending order. */
  List<Long> history() {
    List<Long> ids = new ArrayList<>();
    each(
        IcebergGenerics.read(table(Scene.HISTORY)).build(),
        row -> ids.add((Long) row.getField("id")));
    ids.sort(Long::compare);
    return ids;
  }

  /** Every row has the one entry that says where it is, and no entry says more. */
  void assertIndexAgrees() {
    Table data = table(Scene.ACCOUNTS);
    Map<Long, String> rows = new TreeMap<>();
    Schema places =
        new Schema(
            data.schema().findField("id"), MetadataColumns.FILE_PATH, MetadataColumns.ROW_POSITION);
    each(
        IcebergGenerics.read(data).project(places).build(),
        row -> rows.put((Long) row.getField("id"), place(row, "_file", "_pos")));
    Map<Long, String> entries = new TreeMap<>();
    each(
        IcebergGenerics.read(table(Scene.ACCOUNTS_INDEX)).build(),
        entry -> {
          if (entry.getField("data_file") != null) {
            assertThat(
                    entries.put((Long) entry.getField("id"), place(entry, "data_file", "position")))
                .as("another entry of the key %s", entry.getField("id"))
                .isNull();
          }
        });
    assertThat(entries).as("entries of the index").isEqualTo(rows);
  }

  /** Whether the index says itself that it does not cover the table as it is. */
  boolean indexIsBehind() {
    Table data = table(Scene.ACCOUNTS);
    KeySpec key = KeySpec.of(Scene.ACCOUNTS, data.schema(), List.of("id"));
    return !(IndexTables.freshness(table(Scene.ACCOUNTS_INDEX), data, key)
        instanceof Freshness.Fresh);
  }

  private static String place(Record row, String file, String position) {
    return row.getField(file) + ":" + row.getField(position);
  }

  /** Every input that is in the ledger was recorded as done once, and nothing is open. */
  void assertLedger(int inputs) {
    Map<String, Integer> done = new TreeMap<>();
    each(
        IcebergGenerics.read(table(Scene.LEDGER)).build(),
        row -> {
          if (Objects.equals(row.getField("status"), "DONE")) {
            done.merge(row.getField("table_name") + " " + row.getField("input"), 1, Integer::sum);
          }
        });
    assertThat(done).as("inputs that are done").hasSize(inputs);
    assertThat(done.values()).as("times done").containsOnly(1);
  }

  /** What the current snapshots refer to exists, and no data file has two deletion vectors. */
  void assertFiles() {
    for (String name : List.of(Scene.ACCOUNTS, Scene.ACCOUNTS_INDEX, Scene.HISTORY, Scene.LEDGER)) {
      Table table = table(name);
      Snapshot head = Objects.requireNonNull(table.currentSnapshot());
      List<String> paths = new ArrayList<>();
      paths.add(head.manifestListLocation());
      head.allManifests(table.io()).stream().map(ManifestFile::path).forEach(paths::add);
      for (LiveFile live : LiveFiles.at(table, head).all()) {
        paths.add(live.path());
        live.deletes().stream().map(DeleteFile::location).forEach(paths::add);
        assertThat(live.positionalDeletes())
            .as("deletes of a data file of %s", name)
            .hasSizeLessThanOrEqualTo(1);
      }
      assertThat(paths)
          .as("files of %s", name)
          .allSatisfy(path -> assertThat(table.io().newInputFile(path).exists()).isTrue());
    }
  }

  private static void each(CloseableIterable<Record> rows, Consumer<Record> action) {
    try (rows) {
      rows.forEach(action);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
