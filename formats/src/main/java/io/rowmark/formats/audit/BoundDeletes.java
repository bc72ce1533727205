package io.rowmark.formats.audit;

import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.util.ContentFileUtil;

/** The delete files that name one data file. */
final class BoundDeletes {

  /**
   * What the check needs of one delete file.
   *
   * @param partition see {@link PartitionIds}
   * @param sequence data sequence number
   * @param records positions
   */
  record Bound(String path, int partition, long sequence, long records) {}

  private final List<Bound> vectors = new ArrayList<>(1);
  private final List<Bound> positions = new ArrayList<>(0);
  private boolean live;

  void add(DeleteFile file, int partition) {
    Bound bound =
        new Bound(file.location(), partition, file.dataSequenceNumber(), file.recordCount());
    (ContentFileUtil.isDV(file) ? vectors : positions).add(bound);
  }

  /** Remembers that the data file is in the snapshot. */
  void seen() {
    live = true;
  }

  boolean isDangling() {
    return !live;
  }

  List<Bound> vectors() {
    return vectors;
  }

  /** The position delete files of a sequence number or above. */
  List<Bound> positionsFrom(long sequence) {
    return positions.stream().filter(bound -> bound.sequence() >= sequence).toList();
  }

  List<Bound> positions() {
    return positions;
  }
}
