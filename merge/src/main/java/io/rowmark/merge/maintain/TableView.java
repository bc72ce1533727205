package io.rowmark.merge.maintain;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.merge.maintain.Landing.Indexing;
import io.rowmark.merge.plan.ReaderContract;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/** A configured table as it is in the catalog. */
record TableView(IndexedTable names, Indexing indexing, Table data, Optional<Table> index) {

  /**
   * Loads the table and its index.
   *
   * @throws RowmarkException CONFIG when the configuration has no such table, or the catalog has
   *     none; TABLE_STATE for a format version without deletes
   */
  static TableView load(PipelineSpec pipeline, Catalog catalog, String name) {
    TableSpec spec =
        pipeline.tables().stream()
            .filter(one -> one.table().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    RowmarkException.config(
                        "--table %s is not in the configuration, which has %s. Only with its key can a table's index be kept up."
                            .formatted(
                                name,
                                String.join(
                                    ", ",
                                    pipeline.tables().stream().map(TableSpec::table).toList()))));
    TableIdentifier data = TableIdentifier.parse(name);
    IndexedTable names =
        new IndexedTable(
            catalog,
            pipeline.catalog().name(),
            data,
            TableIdentifier.of(data.namespace(), data.name() + pipeline.index().suffix()),
            spec.key());
    Table table = names.loadData();
    Indexing indexing = usesIndex(spec, table) ? Indexing.KEPT_UP : Indexing.NONE;
    Optional<Table> index =
        indexing == Indexing.NONE ? Optional.empty() : IndexTables.find(catalog, names.index());
    return new TableView(names, indexing, table, index);
  }

  /** Tables that delete by key may have an index from former times, which no batch keeps up. */
  private static boolean usesIndex(TableSpec spec, Table table) {
    DeleteFormat promised =
        ReaderContract.of(table.properties()).map(ReaderContract::format).orElse(null);
    return spec.isKeyed()
        && promised != DeleteFormat.EQUALITY
        && (promised != null || spec.readers().wishes().deletes() != WantedDeletes.EQUALITY);
  }

  String name() {
    return names.data().toString();
  }
}
