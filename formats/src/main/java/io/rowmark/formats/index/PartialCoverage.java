package io.rowmark.formats.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * How far an index has come that is brought up to date in several commits. It is kept under other
 * names than {@link IndexCoverage}, so that a snapshot with it claims to cover nothing: some of its
 * entries describe one snapshot of the data table and some another.
 *
 * @param former the last claim, from which the work began
 * @param rounds what was read since, oldest first; a round that was cut off stays when the next one
 *     has another target
 */
public record PartialCoverage(IndexCoverage former, List<Round> rounds) {
  private static final String OWN = "rowmark.";
  private static final String FORMER = "rowmark.former-";
  private static final String ROUND = "rowmark.reconciled-";

  /**
   * Files that were read for one target.
   *
   * @param snapshotId the data table's snapshot whose state they were read in
   * @param upTo path of the last one: all files that had to be read for the target and whose paths
   *     are not above it are done
   */
  public record Round(long snapshotId, String upTo) {}

  public PartialCoverage {
    rounds = List.copyOf(rounds);
  }

  /** Where the work begins. */
  public static PartialCoverage of(IndexCoverage former) {
    return new PartialCoverage(former, List.of());
  }

  /** The same, once more files were read. Later files of the same target replace earlier ones. */
  public PartialCoverage after(Round round) {
    List<Round> all = new ArrayList<>(rounds);
    int last = all.size() - 1;
    if (last >= 0 && all.get(last).snapshotId() == round.snapshotId()) {
      all.remove(last);
    }
    all.add(round);
    return new PartialCoverage(former, all);
  }

  /** The properties to set on the index's snapshot. */
  public Map<String, String> toSummary() {
    Map<String, String> summary = new LinkedHashMap<>();
    former
        .toSummary()
        .forEach((name, value) -> summary.put(FORMER + name.substring(OWN.length()), value));
    for (int i = 0; i < rounds.size(); i++) {
      Round round = rounds.get(i);
      summary.put(ROUND + i, round.snapshotId() + " " + round.upTo());
    }
    return summary;
  }

  /** Reads it from a snapshot; empty if that is not of an index on its way. */
  public static Optional<PartialCoverage> of(@Nullable Snapshot snapshot) {
    if (snapshot == null) {
      return Optional.empty();
    }
    Map<String, String> summary = snapshot.summary();
    Map<String, String> former = new LinkedHashMap<>();
    summary.forEach(
        (name, value) -> {
          if (name.startsWith(FORMER)) {
            former.put(OWN + name.substring(FORMER.length()), value);
          }
        });
    List<Round> rounds = new ArrayList<>();
    String text = summary.get(ROUND + 0);
    while (text != null) {
      int space = text.indexOf(' ');
      rounds.add(new Round(Long.parseLong(text.substring(0, space)), text.substring(space + 1)));
      text = summary.get(ROUND + rounds.size());
    }
    return IndexCoverage.of(former).map(claim -> new PartialCoverage(claim, rounds));
  }
}
