package io.rowmark.formats.audit;

import java.util.Map;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.util.PartitionMap;

/** A number for each partition, spec and values, that holds a delete file. */
final class PartitionIds {
  /** Stands for a partition without delete files. */
  static final int NONE = -1;

  private final PartitionMap<Integer> ids;

  PartitionIds(Map<Integer, PartitionSpec> specs) {
    this.ids = PartitionMap.create(specs);
  }

  /**
   * The number of the file's partition, given now if it has none.
   *
   * @param file not reused by its reader
   */
  int of(ContentFile<?> file) {
    return ids.computeIfAbsent(file.specId(), file.partition(), ids::size);
  }

  /** The number of the file's partition, or {@link #NONE}. */
  int find(ContentFile<?> file) {
    Integer id = ids.get(file.specId(), file.partition());
    return id == null ? NONE : id;
  }
}
