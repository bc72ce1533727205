package io.rowmark.merge.spec;

import io.rowmark.formats.type.ColumnDeclaration;
import java.util.List;
import java.util.Map;

/**
 * One target table and the topic that feeds it.
 *
 * @param topic folder name below the source path
 * @param table {@code namespace.table} in the catalog
 * @param key key columns in order; empty exactly when {@code mode} is APPEND_ONLY. Of a history
 *     they are those of the source
 * @param columns declared source types and defaults, by column name
 * @param partitionBy partition transforms for a new table, as in {@code days(ts)} or {@code
 *     bucket(16, id)}; empty for an unpartitioned table
 * @param properties Iceberg properties of a new table
 * @param feed what of the topic belongs to the table
 * @param readers who must be able to read the table, and how deletes are wanted
 * @param kept Versions exactly when {@code mode} is HISTORY; Deleted only when it is KEYED
 * @param duplicateKeys what is done about rows that others inserted with the key of another row
 */
public record TableSpec(
    String topic,
    String table,
    Mode mode,
    List<String> key,
    Map<String, ColumnDeclaration> columns,
    List<String> partitionBy,
    Map<String, String> properties,
    SchemaPolicy schemaPolicy,
    TruncatePolicy truncatePolicy,
    TableFeed feed,
    ReadersSpec readers,
    KeptRows kept,
    DuplicateKeys duplicateKeys) {

  /** What is done about several rows of one key. */
  public enum DuplicateKeys {
    /** They are reported, and whatever needs the index stops. */
    FAIL,
    /** All but the newest are deleted, and reported. */
    KEEP_NEWEST
  }

  /** How events become rows. */
  public enum Mode {
    /** One row per key. */
    KEYED,
    /** One row per event, for tables without a key. */
    APPEND_ONLY,
    /** One row per version of a key's row. */
    HISTORY
  }

  /** What happens when events show columns or types that the table lacks. */
  public enum SchemaPolicy {
    /** Add columns and widen types, in the same commit as the rows. */
    EVOLVE,
    /** Leave new columns out. Values that do not fit a column are rejected. */
    IGNORE,
    /** Stop the batch. */
    FAIL
  }

  /** What a truncate event does. */
  public enum TruncatePolicy {
    APPLY,
    IGNORE,
    FAIL
  }

  public TableSpec {
    key = List.copyOf(key);
    columns = Map.copyOf(columns);
    partitionBy = List.copyOf(partitionBy);
    properties = Map.copyOf(properties);
  }

  /** A table that keeps nothing of rows that are changed or deleted. */
  public TableSpec(
      String topic,
      String table,
      Mode mode,
      List<String> key,
      Map<String, ColumnDeclaration> columns,
      List<String> partitionBy,
      Map<String, String> properties,
      SchemaPolicy schemaPolicy,
      TruncatePolicy truncatePolicy,
      TableFeed feed,
      ReadersSpec readers) {
    this(
        topic,
        table,
        mode,
        key,
        columns,
        partitionBy,
        properties,
        schemaPolicy,
        truncatePolicy,
        feed,
        readers,
        KeptRows.NONE);
  }

  /** A table in which no key may have several rows. */
  public TableSpec(
      String topic,
      String table,
      Mode mode,
      List<String> key,
      Map<String, ColumnDeclaration> columns,
      List<String> partitionBy,
      Map<String, String> properties,
      SchemaPolicy schemaPolicy,
      TruncatePolicy truncatePolicy,
      TableFeed feed,
      ReadersSpec readers,
      KeptRows kept) {
    this(
        topic,
        table,
        mode,
        key,
        columns,
        partitionBy,
        properties,
        schemaPolicy,
        truncatePolicy,
        feed,
        readers,
        kept,
        DuplicateKeys.FAIL);
  }

  /** Whether changes have a key; that of a history is not its rows'. */
  public boolean isKeyed() {
    return mode != Mode.APPEND_ONLY;
  }
}
