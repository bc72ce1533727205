package io.rowmark.index.publish;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.iceberg.Snapshot;

/**
 * What a published snapshot shows, kept in its summary.
 *
 * @param branch the source branch
 * @param snapshotId the snapshot of the source whose rows it shows
 * @param sequenceNumber of that snapshot
 */
record PublishMark(String branch, long snapshotId, long sequenceNumber) {
  private static final String BRANCH = "rowmark.publish.branch";
  private static final String SNAPSHOT = "rowmark.publish.snapshot";
  private static final String SEQUENCE = "rowmark.publish.sequence";

  static PublishMark of(String branch, Snapshot source) {
    return new PublishMark(branch, source.snapshotId(), source.sequenceNumber());
  }

  /** Empty for a snapshot that others made. */
  static Optional<PublishMark> in(Snapshot snapshot) {
    Map<String, String> summary = snapshot.summary();
    String branch = summary.get(BRANCH);
    if (branch == null) {
      return Optional.empty();
    }
    return Optional.of(
        new PublishMark(
            branch,
            Long.parseLong(Objects.requireNonNull(summary.get(SNAPSHOT))),
            Long.parseLong(Objects.requireNonNull(summary.get(SEQUENCE)))));
  }

  Map<String, String> toSummary() {
    return Map.of(
        BRANCH, branch, SNAPSHOT, Long.toString(snapshotId), SEQUENCE, "" + sequenceNumber);
  }
}
