package io.rowmark.merge.plan;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.compact.RunTier;
import io.rowmark.merge.commit.KeyPolicy;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.jspecify.annotations.Nullable;

/**
 * Opens the tables of a batch: creates what is missing, empty, since servers refuse to create
 * tables inside a transaction; makes sure that the index is fresh; begins the transactions.
 */
public final class TableOpener {

  /** Work on existing tables that takes Spark. */
  public interface Upkeep {
    /** For those who only look. */
    Upkeep NONE =
        new Upkeep() {
          @Override
          public String build(IndexedTable names, String reason) {
            throw new IllegalStateException("Nothing is to be built");
          }

          @Override
          public String reconcile(IndexedTable names) {
            throw new IllegalStateException("Nothing is to be reconciled");
          }

          @Override
          public String merge(Table index, RunTier tier) {
            throw new IllegalStateException("Nothing is to be merged");
          }

          @Override
          public List<String> migrate(IndexedTable names, TablePlan plan) {
            throw new IllegalStateException("Nothing is to be changed");
          }
        };

    /**
     * Builds an index from the rows of its table.
     *
     * @return a line for people: what was done and why
     */
    String build(IndexedTable names, String reason);

    /**
     * Brings a stale index up to date, from what changed where that is possible.
     *
     * @return a line for people: what was done and why
     */
    String reconcile(IndexedTable names);

    /**
     * Merges small files of an index. What it covers stays the same.
     *
     * @param index refreshed afterwards
     * @return a line for people: what was done and why
     */
    String merge(Table index, RunTier tier);

    /**
     * Takes the steps of a plan that change the table, and commits them.
     *
     * @return lines for people: what was done
     */
    List<String> migrate(IndexedTable names, TablePlan plan);
  }

  private final Catalog catalog;
  private final PipelineSpec pipeline;
  private final TablePlanner planner;
  private final Upkeep upkeep;
  private final IndexOpener indexes;

  public TableOpener(Catalog catalog, PipelineSpec pipeline, Upkeep upkeep) {
    this.catalog = catalog;
    this.pipeline = pipeline;
    this.planner = new TablePlanner(pipeline.capabilities());
    this.upkeep = upkeep;
    this.indexes = new IndexOpener(catalog, pipeline.index(), upkeep);
  }

  /** How a table is written, whether or not a batch may go on with it. */
  public TablePlan plan(TableSpec spec) {
    IndexedTable names = names(spec);
    Table table = catalog.tableExists(names.data()) ? names.loadData() : null;
    if (table != null) {
      HistoryMark.check(spec, table);
    }
    if (table != null && spec.isKeyed()) {
      ChangedKey.refuse(names, table, KeySpec.of(spec.table(), table.schema(), spec.key()));
    }
    return planner.plan(spec, names, table);
  }

  /**
   * The columns that a table has now, and how it is written.
   *
   * @throws RowmarkException as {@link TablePlan#ready} does: what can be said before any event is
   *     read
   */
  public TableShape shape(TableSpec spec) {
    return TableShape.of(plan(spec).ready());
  }

  /** Data table, index and key of a table. */
  public IndexedTable names(TableSpec spec) {
    TableIdentifier data = TableIdentifier.parse(spec.table());
    TableIdentifier index =
        TableIdentifier.of(data.namespace(), data.name() + pipeline.index().suffix());
    return new IndexedTable(
        catalog,
        pipeline.catalog().name(),
        data,
        index,
        spec.key(),
        KeyPolicy.of(pipeline, spec, catalog));
  }

  /**
   * Opens a table in the shape that its events need.
   *
   * @throws RowmarkException CONFIG when the key is missing among the columns or of a wrong type;
   *     CONFLICT when the table changed since it was planned
   */
  public OpenTable open(TableShape shape) {
    TableSpec spec = shape.spec();
    boolean keyed = spec.isKeyed();
    DeleteFormat format = shape.plan().format();
    List<String> notes = new ArrayList<>();
    IndexedTable names = names(spec);
    if (shape.table() == null) {
      create(shape, names.data());
      notes.add("created table " + names.data());
    } else if (shape.plan().convertsDeletes()) {
      notes.addAll(upkeep.migrate(names, shape.plan()));
    }
    KeySpec key = keyed ? KeySpec.of(spec.table(), names.loadData().schema(), spec.key()) : null;
    if (key != null && format != DeleteFormat.EQUALITY) {
      indexes.bringUp(names, key, notes);
    }
    Table data = names.loadData();
    Transaction transaction = data.newTransaction();
    if (!shape.steps().isEmpty()) {
      UpdateSchema update = transaction.updateSchema();
      shape.applyTo(update);
      update.commit();
    }
    promise(shape.plan(), data, transaction);
    HistoryMark.put(spec, data, transaction);
    Table evolved = transaction.table();
    KeySpec evolvedKey =
        key == null ? null : KeySpec.of(spec.table(), evolved.schema(), spec.key());
    LiveFiles live = LiveFiles.at(data, data.currentSnapshot());
    DeleteMode deletes = deletes(format, transaction, live, evolvedKey);
    OpenIndex index = null;
    if (deletes instanceof DeleteMode.ByPosition) {
      index = indexes.open(names, data, key, shape.steps(), notes);
    }
    return new OpenTable(
        spec,
        names.data(),
        evolved,
        transaction,
        data.currentSnapshot(),
        live,
        evolvedKey,
        deletes,
        index,
        notes);
  }

  /** The first batch after a table was declared records its readers, with its rows. */
  private static void promise(TablePlan plan, Table data, Transaction transaction) {
    ReaderContract contract = plan.contract();
    if (contract == null) {
      return;
    }
    Optional<ReaderContract> stored = ReaderContract.of(data.properties());
    if (stored.isEmpty()) {
      UpdateProperties update = transaction.updateProperties();
      contract.toProperties().forEach(update::set);
      update.commit();
    } else if (!stored.get().equalsButDate(contract)) {
      throw new RowmarkException(
          Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "The readers of table %s were changed while this batch was on its way. Run again."
              .formatted(plan.spec().table()),
          null);
    }
  }

  private static DeleteMode deletes(
      @Nullable DeleteFormat format,
      Transaction transaction,
      LiveFiles live,
      @Nullable KeySpec key) {
    if (format == null || key == null) {
      return new DeleteMode.None();
    } else if (format != DeleteFormat.EQUALITY) {
      return new DeleteMode.ByPosition(format);
    }
    return new DeleteMode.ByKey(KeyDeleteSpec.in(transaction, live, key));
  }

  private void create(TableShape shape, TableIdentifier name) {
    TableSpec spec = shape.spec();
    Schema schema = shape.schema();
    if (spec.isKeyed()) {
      KeySpec.of(spec.table(), schema, spec.key());
    }
    PartitionSpec partitions = PartitionText.parse(spec.table(), schema, spec.partitionBy());
    Map<String, String> properties = new LinkedHashMap<>(spec.properties());
    properties.put(TableProperties.FORMAT_VERSION, Integer.toString(shape.formatVersion()));
    ReaderContract contract = shape.plan().contract();
    if (contract != null) {
      properties.putAll(contract.toProperties());
    }
    properties.putIfAbsent(TableProperties.PARQUET_COMPRESSION, "zstd");
    if (spec.kept() instanceof KeptRows.Versions versions) {
      properties.putAll(versions.names().toProperties());
    }
    Namespaces.create(catalog, name.namespace());
    try {
      catalog
          .buildTable(name, schema)
          .withPartitionSpec(partitions)
          .withProperties(properties)
          .create();
    } catch (AlreadyExistsException e) {
      throw new RowmarkException(
          Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "Table %s was created by someone else while this batch was about to. Run again."
              .formatted(name),
          e);
    }
  }
}
