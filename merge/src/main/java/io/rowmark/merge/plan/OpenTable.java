package io.rowmark.merge.plan;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.TableIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * A data table, opened for one batch: everything after this works against the same base.
 *
 * @param table as in the transaction: with the batch's schema changes
 * @param transaction uncommitted; a foreign commit after it was begun makes the catalog refuse it
 * @param base snapshot of the base; null when the table is empty
 * @param live files of the base
 * @param key null exactly for append-only tables
 * @param deletes how the batch hides old rows
 * @param index null unless rows are deleted by position
 * @param notes what was done to open it: tables created, indexes built
 */
public record OpenTable(
    TableSpec spec,
    TableIdentifier name,
    Table table,
    Transaction transaction,
    @Nullable Snapshot base,
    LiveFiles live,
    @Nullable KeySpec key,
    DeleteMode deletes,
    @Nullable OpenIndex index,
    List<String> notes) {
  public OpenTable {
    notes = List.copyOf(notes);
  }

  /** The same with the remarks of an earlier time it was opened before its own. */
  OpenTable after(OpenTable earlier) {
    List<String> all = new ArrayList<>(earlier.notes());
    all.addAll(notes);
    return new OpenTable(spec, name, table, transaction, base, live, key, deletes, index, all);
  }

  /** The key of a keyed table. */
  public KeySpec requireKey() {
    KeySpec found = key;
    if (found == null) {
      throw RowmarkException.internal("Table " + name + " has no key", null);
    }
    return found;
  }

  /** The index of a table whose rows are deleted by position. */
  public OpenIndex requireIndex() {
    OpenIndex found = index;
    if (found == null) {
      throw RowmarkException.internal("Table " + name + " has no index", null);
    }
    return found;
  }

  /** Whether rows have a key; such a table need not have an index. */
  public boolean isKeyed() {
    return spec.isKeyed();
  }

  public int formatVersion() {
    return TableUtil.formatVersion(table);
  }

  /** Whether old rows are hidden by key values, without a lookup. */
  public boolean deletesByKey() {
    return deletes instanceof DeleteMode.ByKey;
  }
}
