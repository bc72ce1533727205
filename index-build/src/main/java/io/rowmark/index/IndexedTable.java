package io.rowmark.index;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;

/**
 * A data table, its index and its key, as the catalog and Spark name them.
 *
 * @param catalog built from the same properties as Spark's catalog
 * @param sparkCatalog name under which Spark knows the catalog; its cache must be off
 * @param key key columns in order, by their current names
 * @param duplicates what becomes of rows that have the key of another row
 */
public record IndexedTable(
    Catalog catalog,
    String sparkCatalog,
    TableIdentifier data,
    TableIdentifier index,
    List<String> key,
    DuplicateKeys duplicates) {

  private static final int OLDEST_FORMAT = 2;
  private static final int NEWEST_FORMAT = 3;

  public IndexedTable {
    key = List.copyOf(key);
  }

  /** A table in which no row may have the key of another. */
  public IndexedTable(
      Catalog catalog,
      String sparkCatalog,
      TableIdentifier data,
      TableIdentifier index,
      List<String> key) {
    this(catalog, sparkCatalog, data, index, key, DuplicateKeys.FAIL);
  }

  /**
   * Loads the data table as it is now.
   *
   * @throws RowmarkException CONFIG when it does not exist, TABLE_STATE when its format version has
   *     no positional deletes or is not known
   */
  public Table loadData() {
    Table table;
    try {
      table = catalog.loadTable(data);
    } catch (NoSuchTableException e) {
      throw RowmarkException.config(
          "Table %s does not exist in catalog %s. Correct its name, or create it first."
              .formatted(data, sparkCatalog));
    }
    int version = TableUtil.formatVersion(table);
    if (version < OLDEST_FORMAT) {
      throw RowmarkException.tableState(
          "Table %s has format version %d, which knows no deletes. Upgrade it first: ALTER TABLE %s SET TBLPROPERTIES ('format-version'='2')."
              .formatted(data, version, sparkData()));
    }
    if (version > NEWEST_FORMAT) {
      throw RowmarkException.tableState(
          "Table %s has format version %d; this build of Rowmark knows versions %d and %d."
              .formatted(data, version, OLDEST_FORMAT, NEWEST_FORMAT));
    }
    return table;
  }

  /** The key, looked up in the data table's current schema. */
  public KeySpec keyOf(Table dataTable) {
    return KeySpec.of(data.toString(), dataTable.schema(), key);
  }

  /** The data table's name, quoted for Spark SQL. */
  public String sparkData() {
    return sparkName(data);
  }

  /** The index table's name, quoted for Spark SQL. */
  public String sparkIndex() {
    return sparkName(index);
  }

  private String sparkName(TableIdentifier table) {
    List<String> parts = new ArrayList<>();
    parts.add(sparkCatalog);
    parts.addAll(List.of(table.namespace().levels()));
    parts.add(table.name());
    return parts.stream().map(IndexedTable::quoted).collect(Collectors.joining("."));
  }

  /** A name as Spark SQL reads it, whatever characters it has. */
  public static String quoted(String name) {
    return '`' + name.replace("`", "``") + '`';
  }
}
