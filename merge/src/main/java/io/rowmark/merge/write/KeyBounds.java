package io.rowmark.merge.write;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Takes from delete files the column bounds that mislead readers. A reader leaves a delete file out
 * where its bounds and a data file's do not meet; Iceberg 1.12 compares those of uuid columns with
 * sign (iceberg issue 14216), while Parquet orders them without, and deleted rows would come back.
 *
 * @param misleading field ids of the key columns whose bounds go
 */
record KeyBounds(Set<Integer> misleading) {
  KeyBounds {
    misleading = Set.copyOf(misleading);
  }

  static KeyBounds of(List<Types.NestedField> key) {
    return new KeyBounds(
        key.stream()
            .filter(field -> field.type().typeId() == TypeID.UUID)
            .map(Types.NestedField::fieldId)
            .collect(Collectors.toSet()));
  }

  /** The same file, with only the bounds that every reader compares rightly. */
  DeleteFile safe(PartitionSpec spec, DeleteFile file) {
    if (misleading.isEmpty()) {
      return file;
    }
    Metrics metrics =
        new Metrics(
            file.recordCount(),
            file.columnSizes(),
            file.valueCounts(),
            file.nullValueCounts(),
            file.nanValueCounts(),
            without(file.lowerBounds()),
            without(file.upperBounds()));
    // the builder copies everything but the field ids
    int[] ids = file.equalityFieldIds().stream().mapToInt(Integer::intValue).toArray();
    return FileMetadata.deleteFileBuilder(spec)
        .copy(file)
        .ofEqualityDeletes(ids)
        .withMetrics(metrics)
        .build();
  }

  private @Nullable Map<Integer, ByteBuffer> without(@Nullable Map<Integer, ByteBuffer> bounds) {
    if (bounds == null) {
      return null;
    }
    Map<Integer, ByteBuffer> left = new HashMap<>(bounds);
    left.keySet().removeAll(misleading);
    return left;
  }
}
