package io.rowmark.index.publish;

import io.rowmark.formats.failure.RowmarkException;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * What publishing a branch as it is would do.
 *
 * @param source the snapshot of the source that would be shown
 * @param shown the one that is shown; null before the first publication
 * @param comparedAll why all files must be compared; null if only what came since
 * @param filesNew data files that the target does not have
 * @param filesGone data files that the target has and the source does not
 * @param filesToResolve data files whose deletes must be worked out
 * @param bytesToCompare bytes of data files whose key values must be compared
 */
public record PublishOutlook(
    Branches branches,
    long source,
    @Nullable Long shown,
    @Nullable String comparedAll,
    int filesNew,
    int filesGone,
    int filesToResolve,
    long bytesToCompare) {

  /**
   * Looks at manifests only.
   *
   * @throws RowmarkException CONFIG when there is no such branch; TABLE_STATE when the target holds
   *     what did not come from the source
   */
  public static PublishOutlook of(Table table, Branches branches) {
    PublishBase base = PublishBase.find(table, branches);
    Snapshot source = PublishBase.source(table, branches);
    Optional<String> all = base.reasonToCompareAll(table, source);
    PublishPlan plan =
        PublishPlan.of(table, source, base.target(), all.isPresent() ? -1 : base.since());
    PublishMark shown = base.shown();
    return new PublishOutlook(
        branches,
        source.snapshotId(),
        shown == null ? null : shown.snapshotId(),
        all.orElse(null),
        plan.plain().size() + plan.newFiles().size(),
        plan.gone().size(),
        plan.items().size(),
        plan.bytesToCompare());
  }

  /** Whether the target shows the source's rows. */
  public boolean isEmpty() {
    return filesNew == 0 && filesGone == 0 && filesToResolve == 0;
  }
}
