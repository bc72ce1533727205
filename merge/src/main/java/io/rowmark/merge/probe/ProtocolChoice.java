package io.rowmark.merge.probe;

import io.rowmark.formats.capability.CatalogCapability;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.commit.CommitProtocols;
import io.rowmark.merge.probe.Finding.Verdict;
import io.rowmark.merge.spec.CommitSpec;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.catalog.Catalog;
import org.jspecify.annotations.Nullable;

/**
 * Which commit protocol {@code ingest} will use, held against what was seen.
 *
 * @param label of the protocol; {@code none} when ingest would refuse to start
 * @param reason why this one
 * @param fit what to make of it
 * @param advice what to set or to mind; empty when nothing
 */
public record ProtocolChoice(String label, String reason, Fit fit, String advice) {

  /** How protocol and catalog go together. */
  public enum Fit {
    /** Nothing was seen that speaks against it. */
    GOOD,
    /** It is right; another one would be better. */
    BETTER_EXISTS,
    /** Batches may be lost or half applied, or cannot be committed at all. */
    UNSAFE
  }

  static ProtocolChoice of(
      CommitSpec spec, @Nullable CatalogCapability known, Catalog catalog, List<Finding> findings) {
    String label;
    try {
      label = CommitProtocols.choose(spec, known, catalog, StepListener.SILENT).protocol().label();
    } catch (RowmarkException e) {
      return new ProtocolChoice(
          "none", String.valueOf(e.getMessage()), Fit.UNSAFE, "Set commit.mode = ordered or auto.");
    }
    Map<Experiment, Verdict> seen = new EnumMap<>(Experiment.class);
    findings.forEach(finding -> seen.put(finding.experiment(), finding.verdict()));
    ProtocolChoice choice = label.equals("atomic") ? atomic(spec, seen) : ordered(spec, seen);
    return seen.get(Experiment.STALE_COMMIT) == Verdict.WRONG
        ? new ProtocolChoice(
            label,
            choice.reason(),
            Fit.UNSAFE,
            "The catalog loses commits when two writers meet. Let nothing else write to the"
                + " tables, or use another catalog.")
        : choice;
  }

  private static ProtocolChoice atomic(CommitSpec spec, Map<Experiment, Verdict> seen) {
    String reason =
        spec.mode() == CommitSpec.Mode.ATOMIC
            ? "commit.mode = atomic"
            : "the catalog claims that its multi-table commit is atomic";
    if (seen.get(Experiment.MULTI_TABLE_COMMIT) == Verdict.NO) {
      return new ProtocolChoice(
          "atomic",
          reason,
          Fit.UNSAFE,
          "The catalog has no multi-table commit. Set commit.mode = ordered.");
    } else if (has(seen, Verdict.WRONG)) {
      return new ProtocolChoice(
          "atomic",
          reason,
          Fit.UNSAFE,
          "The multi-table commit is not atomic. Set commit.mode = ordered.");
    }
    return new ProtocolChoice("atomic", reason, Fit.GOOD, "");
  }

  private static ProtocolChoice ordered(CommitSpec spec, Map<Experiment, Verdict> seen) {
    String reason =
        spec.mode() == CommitSpec.Mode.ORDERED
            ? "commit.mode = ordered"
            : "commit.mode = auto, and the catalog does not claim an atomic multi-table commit";
    if (seenAtomic(seen)) {
      return new ProtocolChoice(
          "ordered",
          reason,
          Fit.BETTER_EXISTS,
          "No commit was seen half applied. Trying cannot prove it: if the catalog's documentation"
              + " says that its multi-table commit is atomic, set commit.mode = atomic, or the"
              + " catalog property %s = atomic.".formatted(CommitProtocols.ATOMIC_CLAIM));
    } else if (has(seen, Verdict.WRONG)) {
      return new ProtocolChoice(
          "ordered",
          reason,
          Fit.GOOD,
          "Leave it so: the catalog's multi-table commit is not atomic.");
    }
    return new ProtocolChoice("ordered", reason, Fit.GOOD, "");
  }

  private static boolean seenAtomic(Map<Experiment, Verdict> seen) {
    return multiTable().stream().allMatch(experiment -> seen.get(experiment) == Verdict.YES);
  }

  private static boolean has(Map<Experiment, Verdict> seen, Verdict verdict) {
    return multiTable().stream().anyMatch(experiment -> seen.get(experiment) == verdict);
  }

  private static List<Experiment> multiTable() {
    return List.of(
        Experiment.MULTI_TABLE_COMMIT, Experiment.STALE_MEMBER, Experiment.CONCURRENT_COMMITS);
  }
}
