package io.rowmark.index;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.index.PartialCoverage;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/** Finds, creates and judges index tables. Runs on the driver and needs no Spark. */
public final class IndexTables {
  private IndexTables() {}

  /**
   * Creates the empty index table of a data table, in the data table's format version.
   *
   * @throws RowmarkException CONFIG when a key column has the name of an index column
   * @throws org.apache.iceberg.exceptions.AlreadyExistsException when there is a table of that name
   */
  public static Table create(Catalog catalog, TableIdentifier index, Table data, KeySpec key) {
    return builder(catalog, index, TableUtil.formatVersion(data), key).create();
  }

  /** A builder with an index table's columns, order and properties. */
  public static Catalog.TableBuilder builder(
      Catalog catalog, TableIdentifier index, int formatVersion, KeySpec key) {
    Schema schema = IndexLayout.schema(key);
    return catalog
        .buildTable(index, schema)
        .withSortOrder(IndexLayout.sortOrder(schema, key))
        .withProperties(IndexLayout.properties(formatVersion, key));
  }

  /**
   * Loads an index table; empty if there is none.
   *
   * @throws RowmarkException TABLE_STATE when a table of that name exists that is not an index
   */
  public static Optional<Table> find(Catalog catalog, TableIdentifier index) {
    Table table;
    try {
      table = catalog.loadTable(index);
    } catch (NoSuchTableException e) {
      return Optional.empty();
    }
    if (!table.properties().containsKey(IndexLayout.MARK)) {
      throw RowmarkException.tableState(
          "Table %s is not an index that Rowmark made (it lacks the property %s), so it is left alone. Give the index another name."
              .formatted(index, IndexLayout.MARK));
    }
    return Optional.of(table);
  }

  /** Whether there is an index table of this name; another table of the name does not count. */
  public static boolean exists(Catalog catalog, TableIdentifier index) {
    try {
      return catalog.loadTable(index).properties().containsKey(IndexLayout.MARK);
    } catch (NoSuchTableException e) {
      return false;
    }
  }

  /** What a loaded index table claims. */
  public static IndexState state(Table index) {
    Optional<Snapshot> told = lastOfContent(index);
    return new IndexState(
        index, told.flatMap(IndexCoverage::of), told.flatMap(PartialCoverage::of));
  }

  /**
   * The newest commit that changed content. Commits on top of it that only rewrite files
   * (compaction of the index, rewritten manifests) leave every entry as it was (Iceberg table spec,
   * "Snapshots": operation {@code replace}), so they do not end its claim.
   */
  private static Optional<Snapshot> lastOfContent(Table index) {
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(index)) {
      boolean claims = IndexCoverage.of(snapshot).isPresent();
      if (claims || !DataOperations.REPLACE.equals(snapshot.operation())) {
        return Optional.of(snapshot);
      }
    }
    return Optional.empty();
  }

  /** Finds an index and compares its claim with a data table. */
  public static Freshness freshness(
      Catalog catalog, TableIdentifier index, Table data, KeySpec key) {
    Optional<Table> table = find(catalog, index);
    return table.isPresent() ? freshness(table.get(), data, key) : new Freshness.Missing();
  }

  /** Compares the claim of a loaded index with a loaded data table. */
  public static Freshness freshness(Table index, Table data, KeySpec key) {
    IndexState state = state(index);
    if (index.currentSnapshot() == null) {
      return LiveFiles.at(data, data.currentSnapshot()).isEmpty()
          ? new Freshness.Fresh(state)
          : new Freshness.Stale(state, "it was never built and the table has rows");
    }
    if (state.partial().isPresent()) {
      return new Freshness.Stale(state, "it was brought up to date in part only");
    }
    if (state.coverage().isEmpty()) {
      return new Freshness.Stale(state, "its content was changed by something other than Rowmark");
    }
    Optional<String> mismatch = state.coverage().get().mismatch(wanted(data, key));
    return mismatch.isPresent()
        ? new Freshness.Stale(state, mismatch.get())
        : new Freshness.Fresh(state);
  }

  /** The claim that an index of this data table, as loaded, should make. */
  public static IndexCoverage wanted(Table data, KeySpec key) {
    return IndexCoverage.of(data.uuid(), snapshotId(data), key.fingerprint(), null);
  }

  /**
   * Makes sure that entries can be compared with rows at all.
   *
   * @param table the data table, for the message
   * @throws RowmarkException TABLE_STATE when the index has key columns of other types
   */
  public static void checkKey(Table index, KeySpec key, TableIdentifier table) {
    if (!sameTypes(index.schema(), IndexLayout.schema(key))) {
      throw RowmarkException.tableState(
          "Index %s of table %s was built for other key columns than %s. Run 'rowmark index build'."
              .formatted(index.name(), table, key.names()));
    }
  }

  /**
   * Makes an index follow its data table in what does not touch entries: names of key columns,
   * settings, and format version.
   *
   * @param transaction of the index, to which the changes are added
   */
  public static void follow(Transaction transaction, int formatVersion, KeySpec key) {
    renameKeys(transaction, key);
    updateSettings(transaction, IndexLayout.properties(formatVersion, key));
  }

  /** Columns of the data table may have been renamed; the index follows, for those who query it. */
  private static void renameKeys(Transaction transaction, KeySpec key) {
    List<Types.NestedField> columns = transaction.table().schema().columns();
    UpdateSchema update = transaction.updateSchema();
    for (int i = 0; i < key.columns().size(); i++) {
      if (!columns.get(i).name().equals(key.names().get(i))) {
        update.renameColumn(columns.get(i).name(), key.names().get(i));
      }
    }
    update.commit();
  }

  private static void updateSettings(Transaction transaction, Map<String, String> wanted) {
    Table index = transaction.table();
    UpdateProperties update = transaction.updateProperties();
    wanted.forEach(
        (property, value) -> {
          boolean same =
              property.equals(TableProperties.FORMAT_VERSION)
                  ? Integer.parseInt(value) == TableUtil.formatVersion(index)
                  : Objects.equals(index.properties().get(property), value);
          if (!same) {
            update.set(property, value);
          }
        });
    update.commit();
  }

  /** Whether two index schemas have the same columns, whatever the key columns are called. */
  public static boolean sameTypes(Schema one, Schema other) {
    return types(one).equals(types(other));
  }

  private static List<Type> types(Schema schema) {
    return schema.columns().stream().map(Types.NestedField::type).toList();
  }

  private static @Nullable Long snapshotId(Table table) {
    Snapshot snapshot = table.currentSnapshot();
    return snapshot == null ? null : snapshot.snapshotId();
  }
}
