package io.rowmark.merge.maintain;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.rewrite.FileGroup;
import io.rowmark.index.rewrite.GroupWriter;
import io.rowmark.index.rewrite.RewritePlan;
import io.rowmark.index.rewrite.RewriteRules;
import io.rowmark.index.rewrite.RewrittenGroup;
import io.rowmark.index.rewrite.StagedRewrite;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.commit.CommitOutcome;
import io.rowmark.merge.maintain.Landing.Landed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;

/**
 * Drops dead data files and rewrites others, one commit after another, while others go on writing.
 * Every reader sees the same rows after each commit; a run that is killed is continued by the next
 * one, from the table as it is.
 */
final class DataUpkeep {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final double JITTER = 0.5;

  private final SparkSession spark;
  private final IndexedTable names;
  private final Landing landing;
  private final RewriteRules rules;
  private final MaintainRequest request;
  private final MaintainListener listener;
  private final int attempts;

  DataUpkeep(
      SparkSession spark,
      Landing landing,
      RewriteRules rules,
      MaintainRequest request,
      MaintainListener listener,
      int attempts) {
    this.spark = spark;
    this.names = landing.names();
    this.landing = landing;
    this.rules = rules;
    this.request = request;
    this.listener = listener;
    this.attempts = attempts;
  }

  /**
   * Does what the limits allow.
   *
   * @throws RowmarkException CONFLICT when others forestalled a commit time and again; what was
   *     committed before stays. UNKNOWN_COMMIT when the catalog's answer was lost
   */
  List<StepReport> run() {
    List<StepReport> done = new ArrayList<>();
    Table data = names.loadData();
    Snapshot begin = data.currentSnapshot();
    if (begin == null) {
      return done;
    }
    RewritePlan first = RewritePlan.of(data, rules);
    if (first.hasWaste()) {
      Work waste = new Work(begin, List.of(), first.dead());
      land(waste, System.nanoTime()).ifPresent(step -> report(done, step));
    }
    while (landing.mayRewrite() && done.size() < request.maxCommits()) {
      long start = System.nanoTime();
      Table now = names.loadData();
      RewritePlan plan = RewritePlan.of(now, rules);
      List<FileGroup> slice = slice(plan.groupsUpTo(begin.sequenceNumber()));
      if (slice.isEmpty()) {
        break;
      }
      Work work =
          new Work(
              Objects.requireNonNull(plan.base()),
              new GroupWriter(spark, names, now).write(slice),
              List.of());
      listener.reached(Checkpoint.DATA_WRITTEN);
      land(work, start).ifPresent(step -> report(done, step));
    }
    return done;
  }

  private void report(List<StepReport> done, StepReport step) {
    done.add(step);
    listener.committed(step);
  }

  private List<FileGroup> slice(List<FileGroup> groups) {
    List<FileGroup> slice = new ArrayList<>();
    long bytes = 0;
    for (FileGroup group : groups) {
      bytes += group.bytes();
      if (!slice.isEmpty() && bytes > request.maxBytes()) {
        break;
      }
      slice.add(group);
    }
    return slice;
  }

  /**
   * Commits until it lands. What was written is not written again: groups whose files have got new
   * deletes meanwhile, or are gone, are left out.
   *
   * @return empty when nothing of it is left to be done
   */
  private Optional<StepReport> land(Work work, long start) {
    RetryPolicy<Landed> refusals =
        RetryPolicy.<Landed>builder()
            .handleIf(error -> false)
            .handleResultIf(landed -> landed.outcome() instanceof CommitOutcome.Refused)
            .withBackoff(FIRST_PAUSE, LONGEST_PAUSE)
            .withJitter(JITTER)
            .withMaxAttempts(attempts)
            .build();
    int[] attempt = new int[1];
    Landed last =
        Failsafe.with(refusals)
            .get(
                context -> {
                  attempt[0] = context.getAttemptCount() + 1;
                  return attempt(work);
                });
    CommitOutcome outcome = last.outcome();
    if (outcome instanceof CommitOutcome.Refused refused) {
      GroupWriter.discard(names.loadData(), work.groups());
      throw new RowmarkException(
          Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "Other writers changed table %s %d times while its files were rewritten, the last time: %s. Commits that were made before stay. Run again, with smaller commits (--max-bytes) or when fewer batches run."
              .formatted(names.data(), attempts, refused.reason()),
          null);
    }
    if (outcome instanceof CommitOutcome.Unknown unknown) {
      throw unclear(unknown.reason());
    }
    if (outcome instanceof CommitOutcome.Torn torn) {
      throw unclear(torn.reason());
    }
    List<RewrittenGroup> lost =
        work.groups().stream().filter(group -> !last.groups().contains(group)).toList();
    GroupWriter.discard(names.loadData(), lost);
    return last.staged() == null
        ? Optional.empty()
        : Optional.of(report(work, last, attempt[0], start));
  }

  /** What fails before anything was sent leaves nothing behind. */
  private Landed attempt(Work work) {
    try {
      return landing.attempt(work);
    } catch (RowmarkException e) {
      if (e.category() != Category.UNKNOWN_COMMIT) {
        GroupWriter.discard(names.loadData(), work.groups());
      }
      throw e;
    }
  }

  private RowmarkException unclear(String reason) {
    return new RowmarkException(
        Category.UNKNOWN_COMMIT,
        RowmarkException.Retry.HELPS,
        "The catalog gave no clear answer to a commit on table %s and its index: %s. No file was removed. Run again: maintenance goes on from what is in place, and reconciles the index if it is behind."
            .formatted(names.data(), reason),
        null);
  }

  private StepReport report(Work work, Landed landed, int attempt, long start) {
    Work done = new Work(work.read(), landed.groups(), landed.dead());
    StagedRewrite staged = Objects.requireNonNull(landed.staged());
    return new StepReport(
        work.groups().isEmpty() ? StepKind.DROP : StepKind.REWRITE,
        names.data().toString(),
        staged.snapshot().snapshotId(),
        done.filesIn(),
        done.filesOut(),
        done.bytesIn(),
        done.bytesOut(),
        staged.deleteFilesRemoved(),
        done.rows(),
        attempt,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
  }
}
