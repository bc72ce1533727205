package io.rowmark.merge.plan;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.formats.type.SchemaEvolution.Step;
import io.rowmark.formats.type.SchemaEvolution.WidenColumn;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
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
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.jspecify.annotations.Nullable;

/**
 * Opens the tables of a batch: creates what is missing, empty, since servers refuse to create
 * tables inside a transaction; makes sure that the index is fresh; begins the transactions.
 */
public final class TableOpener {

  /** Brings indexes up to date. */
  public interface IndexUpkeep {
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
  }

  private final Catalog catalog;
  private final PipelineSpec pipeline;
  private final IndexUpkeep upkeep;

  public TableOpener(Catalog catalog, PipelineSpec pipeline, IndexUpkeep upkeep) {
    this.catalog = catalog;
    this.pipeline = pipeline;
    this.upkeep = upkeep;
  }

  /** The columns that a table has now. */
  public TableShape shape(TableSpec spec) {
    TableIdentifier name = TableIdentifier.parse(spec.table());
    if (!catalog.tableExists(name)) {
      return TableShape.missing(spec);
    }
    TableShape shape = TableShape.existing(spec, names(spec).loadData());
    if (spec.mode() == TableSpec.Mode.KEYED) {
      KeySpec.of(spec.table(), shape.schema(), spec.key());
    }
    return shape;
  }

  /** Data table, index and key of a table. */
  public IndexedTable names(TableSpec spec) {
    TableIdentifier data = TableIdentifier.parse(spec.table());
    TableIdentifier index =
        TableIdentifier.of(data.namespace(), data.name() + pipeline.index().suffix());
    return new IndexedTable(catalog, pipeline.catalog().name(), data, index, spec.key());
  }

  /**
   * Opens a table in the shape that its events need.
   *
   * @throws RowmarkException CONFIG when the key is missing among the columns or of a wrong type
   */
  public OpenTable open(TableShape shape) {
    TableSpec spec = shape.spec();
    List<String> notes = new ArrayList<>();
    IndexedTable names = names(spec);
    if (shape.table() == null) {
      create(shape, names.data());
      notes.add("created table " + names.data());
    }
    KeySpec key =
        spec.mode() == TableSpec.Mode.KEYED
            ? KeySpec.of(spec.table(), names.loadData().schema(), spec.key())
            : null;
    if (key != null) {
      freshIndex(names, key, notes);
    }
    Table data = names.loadData();
    Transaction transaction = data.newTransaction();
    if (!shape.steps().isEmpty()) {
      UpdateSchema update = transaction.updateSchema();
      shape.applyTo(update);
      update.commit();
    }
    Table evolved = transaction.table();
    KeySpec evolvedKey =
        key == null ? null : KeySpec.of(spec.table(), evolved.schema(), spec.key());
    return new OpenTable(
        spec,
        names.data(),
        evolved,
        transaction,
        data.currentSnapshot(),
        LiveFiles.at(data, data.currentSnapshot()),
        evolvedKey,
        evolvedKey == null ? null : openIndex(names, data, key, shape.steps()),
        notes);
  }

  private void create(TableShape shape, TableIdentifier name) {
    TableSpec spec = shape.spec();
    Schema schema = shape.schema();
    if (spec.mode() == TableSpec.Mode.KEYED) {
      KeySpec.of(spec.table(), schema, spec.key());
    }
    PartitionSpec partitions = PartitionText.parse(spec.table(), schema, spec.partitionBy());
    Map<String, String> properties = new LinkedHashMap<>(spec.properties());
    properties.put(TableProperties.FORMAT_VERSION, Integer.toString(shape.formatVersion()));
    properties.putIfAbsent(TableProperties.PARQUET_COMPRESSION, "zstd");
    createNamespace(name.namespace());
    try {
      catalog
          .buildTable(name, schema)
          .withPartitionSpec(partitions)
          .withProperties(properties)
          .create();
    } catch (AlreadyExistsException e) {
      throw new RowmarkException(
          io.rowmark.formats.failure.Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "Table %s was created by someone else while this batch was about to. Run again."
              .formatted(name),
          e);
    }
  }

  /** Creates a namespace and its parents where the catalog has namespaces. */
  public void createNamespace(Namespace namespace) {
    if (!(catalog instanceof SupportsNamespaces namespaces) || namespace.isEmpty()) {
      return;
    }
    for (int depth = 1; depth <= namespace.length(); depth++) {
      String[] levels = java.util.Arrays.copyOf(namespace.levels(), depth);
      Namespace level = Namespace.of(levels);
      if (!namespaces.namespaceExists(level)) {
        try {
          namespaces.createNamespace(level);
        } catch (AlreadyExistsException e) {
          // someone else was faster, which is as good
        }
      }
    }
  }

  private void freshIndex(IndexedTable names, KeySpec key, List<String> notes) {
    Table data = names.loadData();
    Freshness freshness = IndexTables.freshness(catalog, names.index(), data, key);
    if (freshness instanceof Freshness.Missing) {
      IndexTables.create(catalog, names.index(), data, key);
      notes.add("created index " + names.index());
      if (!LiveFiles.at(data, data.currentSnapshot()).isEmpty()) {
        notes.add(upkeep.build(names, "the table has rows and no index"));
      }
    } else if (freshness instanceof Freshness.Stale) {
      notes.add(upkeep.reconcile(names));
    }
  }

  private OpenIndex openIndex(
      IndexedTable names, Table data, @Nullable KeySpec key, List<Step> steps) {
    Table index =
        IndexTables.find(catalog, names.index())
            .orElseThrow(() -> RowmarkException.tableState("Index " + names.index() + " is gone"));
    if (key != null && !(IndexTables.freshness(index, data, key) instanceof Freshness.Fresh)) {
      throw new RowmarkException(
          io.rowmark.formats.failure.Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "Table %s changed while its index was brought up to date. Run again."
              .formatted(names.data()),
          null);
    }
    Transaction transaction = index.newTransaction();
    widenKey(names, index, transaction, steps);
    Optional<IndexCoverage> coverage = IndexTables.state(index).coverage();
    return new OpenIndex(
        names.index(),
        transaction.table(),
        transaction,
        index.currentSnapshot(),
        LiveFiles.at(index, index.currentSnapshot()),
        coverage.map(IndexCoverage::truncatedAt).orElse(null));
  }

  /** A key column that the batch widens is widened in the index by the same commit. */
  private static void widenKey(
      IndexedTable names, Table index, Transaction transaction, List<Step> steps) {
    for (Step step : steps) {
      int at = names.key().indexOf(step.name());
      if (at >= 0 && step instanceof WidenColumn widen) {
        UpdateSchema update = transaction.updateSchema();
        update.updateColumn(index.schema().columns().get(at).name(), widen.to().asPrimitiveType());
        update.commit();
      }
    }
  }
}
