package io.rowmark.index.purge;

import io.rowmark.formats.key.KeyBounds;
import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.key.KeySpec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.types.Type;
import org.jspecify.annotations.Nullable;

/** The bounds of key columns that a manifest has of a file. */
final class FileBounds implements KeyBounds {
  private final @Nullable Object[] lower;
  private final @Nullable Object[] upper;

  FileBounds(KeySpec key, ContentFile<?> file) {
    List<KeySpec.KeyColumn> columns = key.columns();
    this.lower = new Object[columns.size()];
    this.upper = new Object[columns.size()];
    for (int i = 0; i < columns.size(); i++) {
      lower[i] = bound(columns.get(i), file, file.lowerBounds());
      upper[i] = bound(columns.get(i), file, file.upperBounds());
    }
  }

  /**
   * Bounds of a uuid are trusted of one row group only: Iceberg 1.12 puts those of several together
   * by its signed order (apache/iceberg#14216).
   */
  private static @Nullable Object bound(
      KeySpec.KeyColumn column, ContentFile<?> file, @Nullable Map<Integer, ByteBuffer> bounds) {
    ByteBuffer bound = bounds == null ? null : bounds.get(column.fieldId());
    boolean signed = column.type().typeId() == Type.TypeID.UUID;
    return bound == null || (signed && !hasOneRowGroup(file))
        ? null
        : KeyForm.bound(column.type(), bound);
  }

  private static boolean hasOneRowGroup(ContentFile<?> file) {
    List<Long> starts = file.splitOffsets();
    return starts != null && starts.size() == 1;
  }

  @Override
  public @Nullable Object lower(int column) {
    return lower[column];
  }

  @Override
  public @Nullable Object upper(int column) {
    return upper[column];
  }
}
