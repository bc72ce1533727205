package io.rowmark.index.scan;

import io.rowmark.formats.key.KeySpec;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;

/**
 * Tells where one key ends and the next begins in rows of the shape of {@link KeyedRows} that are
 * sorted by key. Keys are compared by their bytes, which for key types is equality of values.
 */
public final class KeyGroups {
  private final UnsafeProjection projection;
  private final UnsafeRow current;
  private UnsafeRow candidate;
  private boolean started;

  private KeyGroups(DataType[] keyTypes) {
    this.projection = UnsafeProjection.create(keyTypes);
    this.current = new UnsafeRow(keyTypes.length);
    this.current.pointTo(new byte[0], 0);
    this.candidate = current;
  }

  public static KeyGroups of(KeySpec key) {
    return new KeyGroups(
        key.columns().stream()
            .map(column -> SparkSchemaUtil.convert(column.type()))
            .toArray(DataType[]::new));
  }

  /**
   * Whether this row has another key than the current one, which stays current until {@link
   * #enter}.
   */
  public boolean begins(InternalRow row) {
    candidate = projection.apply(row);
    return !started || !candidate.equals(current);
  }

  /** Makes the key of the row last asked for the current one. */
  public void enter() {
    current.copyFrom(candidate);
    started = true;
  }

  /** The current key's columns, valid until the next {@link #enter}. */
  public UnsafeRow key() {
    return current;
  }
}
