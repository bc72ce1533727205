package io.rowmark.formats.audit;

import java.util.BitSet;
import java.util.Comparator;
import java.util.Objects;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.util.ContentFileUtil;

/** Counts delete files and the partitions that they lie in. */
final class TallyBuilder {
  private final SmallestFew<String> examples = new SmallestFew<>(Comparator.naturalOrder());
  private final BitSet partitions = new BitSet();
  private long files;
  private long records;
  private long bytes;

  void add(DeleteFile file, int partition) {
    files++;
    records += file.recordCount();
    bytes += bytes(file);
    partitions.set(partition);
    examples.add(file.location());
  }

  /** Of a deletion vector its blob: the Puffin file may hold many. */
  private static long bytes(DeleteFile file) {
    return ContentFileUtil.isDV(file)
        ? Objects.requireNonNullElse(file.contentSizeInBytes(), 0L)
        : file.fileSizeInBytes();
  }

  long partitions() {
    return partitions.cardinality();
  }

  FileTally tally() {
    return new FileTally(files, records, bytes, examples.values());
  }
}
