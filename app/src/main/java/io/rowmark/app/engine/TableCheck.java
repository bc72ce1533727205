package io.rowmark.app.engine;

import io.rowmark.formats.audit.TableAudit;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.verdict.DeclaredReaders;
import java.util.List;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchIcebergTableException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.jspecify.annotations.Nullable;

/**
 * An audited table.
 *
 * @param declaredReaders readers that the table's properties declare, as written; may be empty
 */
public record TableCheck(TableAudit audit, List<String> declaredReaders) {
  public TableCheck {
    declaredReaders = List.copyOf(declaredReaders);
  }

  /**
   * @param snapshot null for the current one
   * @throws RowmarkException CONFIG when there is no such Iceberg table or snapshot; TABLE_STATE
   *     when its manifests cannot be read
   */
  static TableCheck of(Catalog catalog, String name, @Nullable Long snapshot) {
    Table table = load(catalog, name);
    return new TableCheck(
        TableAudit.of(table, snapshot(table, name, snapshot)),
        DeclaredReaders.of(table.properties()));
  }

  private static Table load(Catalog catalog, String name) {
    try {
      return catalog.loadTable(TableIdentifier.parse(name));
    } catch (NoSuchIcebergTableException e) {
      throw RowmarkException.config(
          "Table %s is in the catalog '%s', but it is not an Iceberg table; only those can be checked."
              .formatted(name, catalog.name()));
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      throw RowmarkException.config(
          ("There is no Iceberg table %s in the catalog '%s'. Write namespace and table without the"
                  + " catalog's name, as in shop.orders, and check catalog.properties.")
              .formatted(name, catalog.name()));
    }
  }

  private static @Nullable Snapshot snapshot(Table table, String name, @Nullable Long id) {
    Snapshot current = table.currentSnapshot();
    if (id == null) {
      return current;
    }
    Snapshot wanted = table.snapshot(id);
    if (wanted == null) {
      throw RowmarkException.config(
          "Table %s has no snapshot %d: it was expired, or never was. %s"
              .formatted(
                  name,
                  id,
                  current == null
                      ? "The table has no snapshot at all."
                      : "Its current snapshot is %d.".formatted(current.snapshotId())));
    }
    return wanted;
  }
}
