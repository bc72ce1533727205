package io.rowmark.merge.maintain;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.TableSwap;
import io.rowmark.index.compact.FileMerge;
import io.rowmark.index.compact.FileMerge.Merged;
import io.rowmark.index.compact.MergeChoice;
import io.rowmark.index.compact.RangeDepth;
import io.rowmark.index.reconcile.ForgottenKeys;
import io.rowmark.index.rewrite.StagedRewrite;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** Keeps an index, or a ledger, at few files. Its rows stay as they are. */
final class IndexUpkeep {
  private final SparkSession spark;
  private final MaintainSpec spec;
  private final int attempts;

  IndexUpkeep(SparkSession spark, MaintainSpec spec, int attempts) {
    this.spark = spark;
    this.spec = spec;
    this.attempts = attempts;
  }

  /** Which files of an index are worth a rewrite. */
  static Optional<MergeChoice> choice(Table index, MaintainSpec spec) {
    Snapshot head = index.currentSnapshot();
    Types.NestedField leading = index.schema().columns().get(0);
    List<LiveFile> files =
        List.copyOf(LiveFiles.withBounds(index, head, Set.of(leading.fieldId())).all());
    return MergeChoice.of(
        files,
        RangeDepth.of(files, leading),
        spec.indexDepth(),
        spec.deadShare(),
        FileMerge.largest(index));
  }

  /** Which files of a ledger are worth a rewrite; it has no order. */
  static Optional<MergeChoice> choiceOfLedger(Table ledger, MaintainSpec spec) {
    return MergeChoice.of(
        LiveFiles.at(ledger, ledger.currentSnapshot()).all(),
        0,
        spec.indexDepth(),
        spec.deadShare(),
        FileMerge.largest(ledger));
  }

  /**
   * Lets an index forget keys that were deleted before a change.
   *
   * @param upTo order of the change
   */
  Optional<StepReport> forget(IndexedTable names, byte[] upTo) {
    long start = System.nanoTime();
    Optional<Table> index = IndexTables.find(names.catalog(), names.index());
    if (index.isEmpty() || index.get().currentSnapshot() == null) {
      return Optional.empty();
    }
    long forgotten = ForgottenKeys.drop(spark, names, index.get(), names.loadData(), upTo);
    return forgotten == 0
        ? Optional.empty()
        : Optional.of(
            new StepReport(
                StepKind.FORGET,
                names.index().toString(),
                head(names.catalog().loadTable(names.index())),
                0,
                0,
                0,
                0,
                0,
                forgotten,
                1,
                millis(start)));
  }

  /**
   * Merges files, again where a batch came in between.
   *
   * @param name of the table
   * @param now loads it
   * @throws RowmarkException CONFLICT when others forestalled it time and again: then nothing has
   *     changed
   */
  Optional<StepReport> merge(
      String name, Supplier<Table> now, Function<Table, Optional<MergeChoice>> chooser) {
    long start = System.nanoTime();
    @Nullable RuntimeException last = null;
    for (int attempt = 1; attempt <= attempts; attempt++) {
      Table table = now.get();
      Optional<MergeChoice> choice = chooser.apply(table);
      if (choice.isEmpty()) {
        return Optional.empty();
      }
      try {
        LiveFiles before = LiveFiles.at(table, table.currentSnapshot());
        Merged merged = FileMerge.merge(spark, table, choice.get());
        int deletes = dropNeedless(now);
        Table after = now.get();
        LiveFiles left = LiveFiles.at(after, after.currentSnapshot());
        return Optional.of(
            new StepReport(
                StepKind.MERGE,
                name,
                head(after),
                merged.files(),
                Math.max(0, left.all().size() - before.all().size() + merged.files()),
                merged.bytes(),
                Math.max(0, left.bytes() - before.bytes() + merged.bytes()),
                deletes,
                0,
                attempt,
                millis(start)));
      } catch (CommitStateUnknownException e) {
        throw new RowmarkException(
            Category.UNKNOWN_COMMIT,
            RowmarkException.Retry.HELPS,
            "The catalog gave no clear answer to a commit on %s: its files may or may not be merged. Its rows are the same either way, and no file was removed. Run again."
                .formatted(name),
            e);
      } catch (CommitFailedException | ValidationException e) {
        last = e;
      } catch (RuntimeException e) {
        // Spark and the action wrap what the catalog says
        if (!isConflict(e)) {
          throw e;
        }
        last = e;
      }
    }
    throw new RowmarkException(
        Category.CONFLICT,
        RowmarkException.Retry.HELPS,
        "Batches kept changing %s while its files were merged; it is as they left it. Run again."
            .formatted(name),
        last);
  }

  private static boolean isConflict(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof CommitFailedException || cause instanceof ValidationException) {
        return true;
      }
    }
    return false;
  }

  /** On format version 2 the position deletes of merged files stay behind. */
  private static int dropNeedless(Supplier<Table> now) {
    Table table = now.get();
    Snapshot head = table.currentSnapshot();
    if (head == null) {
      return 0;
    }
    try {
      Optional<StagedRewrite> staged =
          StagedRewrite.stage(table, head, List.of(), List.of(), LiveFiles.at(table, head));
      if (staged.isEmpty()) {
        return 0;
      }
      TableSwap.once(staged.get().transaction(), now, SnapshotRef.MAIN_BRANCH);
      return staged.get().deleteFilesRemoved();
    } catch (CommitFailedException | ValidationException e) {
      // they do no harm until the next time
      return 0;
    }
  }

  private static long head(Table table) {
    Snapshot head = table.currentSnapshot();
    return head == null ? -1 : head.snapshotId();
  }

  private static long millis(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }
}
