package io.rowmark.merge.resolve;

import io.rowmark.merge.normalize.NetChanges;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The columns that resolving adds to a net change. */
public final class ResolvedRows {
  /** Where the key's row is now: null when the index has no entry. */
  public static final String FOUND = "found";

  /** Where the row is that fills the left-out values. */
  public static final String FILL = "fill";

  /** What the index said of the key, a {@link State}. */
  public static final String STATE = "state";

  public static final String DATA_FILE = "data_file";
  public static final String POSITION = "position";
  public static final String ROW_ID = "row_id";
  public static final String APPLIED_ORDER = "applied_order";
  public static final String INDEX_FILE = "index_file";
  public static final String INDEX_POSITION = "index_position";

  /** Type of {@link #FOUND} and {@link #FILL}. */
  public static final StructType PLACE =
      new StructType()
          .add(DATA_FILE, DataTypes.StringType)
          .add(POSITION, DataTypes.LongType)
          .add(ROW_ID, DataTypes.LongType)
          .add(APPLIED_ORDER, DataTypes.BinaryType)
          .add(INDEX_FILE, DataTypes.StringType)
          .add(INDEX_POSITION, DataTypes.LongType);

  /** What the index said of a changed key. */
  public enum State {
    /** A row of this key is in the table. */
    LIVE,
    /** The key was deleted. */
    TOMBSTONE,
    /** The key was never seen. */
    ABSENT,
    /** A later change of the key was applied already: this one is left out. */
    STALE,
    /** The change cannot become a row: it is a reject. */
    PROBLEM,
    /** Rows are deleted by key, and nobody was asked. */
    NOT_LOOKED_UP
  }

  private ResolvedRows() {}

  /** All columns of a resolved change. */
  public static StructType type(Schema table, List<String> key) {
    return NetChanges.type(table, key)
        .add(FOUND, PLACE)
        .add(FILL, PLACE)
        .add(STATE, DataTypes.StringType);
  }
}
