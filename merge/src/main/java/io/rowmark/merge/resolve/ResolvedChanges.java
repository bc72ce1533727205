package io.rowmark.merge.resolve;

import io.rowmark.index.resolve.IndexHit;
import io.rowmark.merge.normalize.NetChange;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** Changes that are to be applied, with the place of the row that each replaces. */
public sealed interface ResolvedChanges {

  /** Few changes, on the driver, ascending by key. */
  record AtHand(List<Placed> changes) implements ResolvedChanges {
    public AtHand {
      changes = List.copyOf(changes);
    }

    @Override
    public void release() {}
  }

  /**
   * A change and what the index has of its key.
   *
   * @param found null when the index has nothing, or was not asked
   */
  record Placed(NetChange change, @Nullable IndexHit found) {}

  /**
   * Any number of changes.
   *
   * @param rows of {@link ResolvedRows}, left-out values filled
   * @param arrangement whether the partitions of {@code rows} are ranges of the key
   * @param kept datasets that Spark keeps until {@link #release}
   */
  record Spread(Dataset<Row> rows, Arrangement arrangement, List<Dataset<Row>> kept)
      implements ResolvedChanges {
    public Spread {
      kept = List.copyOf(kept);
    }

    @Override
    public void release() {
      kept.forEach(dataset -> dataset.unpersist(false));
    }
  }

  /** How rows are spread over partitions. */
  enum Arrangement {
    /** Each partition holds a range of keys of its own. */
    KEY_RANGES,
    /** A key range may be spread over several partitions. */
    ANY
  }

  /** Lets Spark forget what it keeps. */
  void release();
}
