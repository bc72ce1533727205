package io.rowmark.merge.maintain;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.formats.upkeep.FileDebt;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.reconcile.FollowingIndex;
import io.rowmark.index.rewrite.RewrittenGroup;
import io.rowmark.index.rewrite.StagedRewrite;
import io.rowmark.merge.commit.CommitOutcome;
import io.rowmark.merge.commit.PairCommit;
import io.rowmark.merge.migrate.TableUpkeep;
import io.rowmark.merge.stage.StagedTable.StagedChange;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** Brings written files into a table, and lets its index follow in the same commit. */
final class Landing {
  private final SparkSession spark;
  private final IndexedTable names;
  private final Indexing indexing;
  private final PairCommit commits;

  /** Whether a table's index is kept up. */
  enum Indexing {
    /** If there is one. */
    KEPT_UP,
    /** The table has none, or one that no batch uses any more. */
    NONE
  }

  Landing(SparkSession spark, IndexedTable names, Indexing indexing, PairCommit commits) {
    this.spark = spark;
    this.names = names;
    this.indexing = indexing;
    this.commits = commits;
  }

  IndexedTable names() {
    return names;
  }

  /**
   * Whether rows may be moved: the index of a history has entries for some rows of a file only, and
   * does not follow.
   */
  boolean mayRewrite() {
    return index().isEmpty() || VersionColumns.of(names.loadData().properties()).isEmpty();
  }

  /**
   * How an attempt ended.
   *
   * @param groups that are in the commit
   * @param dead likewise
   * @param staged null when there was nothing to commit
   */
  record Landed(
      CommitOutcome outcome,
      List<RewrittenGroup> groups,
      List<LiveFile> dead,
      @Nullable StagedRewrite staged) {
    static Landed refused(String reason) {
      return new Landed(new CommitOutcome.Refused(reason, List.of()), List.of(), List.of(), null);
    }

    static Landed nothing() {
      return new Landed(new CommitOutcome.Committed(), List.of(), List.of(), null);
    }
  }

  /** The tables as they are, the index up to date. */
  private record Opened(Optional<Table> index, Table data) {}

  /** One attempt on the tables as they are now. */
  Landed attempt(Work work) {
    Opened open = open();
    Table data = open.data();
    if (data.currentSnapshot() == null) {
      return Landed.nothing();
    }
    LiveFiles live = LiveFiles.at(data, data.currentSnapshot());
    List<RewrittenGroup> groups =
        work.groups().stream().filter(group -> group.stands(live)).toList();
    List<LiveFile> dead =
        work.dead().stream().flatMap(file -> stillDead(live, file).stream()).toList();
    if (groups.isEmpty() && !work.groups().isEmpty()) {
      return Landed.nothing();
    }
    try {
      Optional<StagedRewrite> staged = StagedRewrite.stage(data, work.read(), groups, dead, live);
      return staged.isEmpty() ? Landed.nothing() : commit(open, groups, dead, staged.get());
    } catch (ValidationException e) {
      return Landed.refused(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<LiveFile> stillDead(LiveFiles live, LiveFile file) {
    return live.find(file.path()).filter(now -> FileDebt.of(now).isDead());
  }

  private Landed commit(
      Opened open, List<RewrittenGroup> groups, List<LiveFile> dead, StagedRewrite staged) {
    FollowingIndex follow;
    try {
      follow = open.index().map(index -> follow(index, groups, staged)).orElse(null);
    } catch (RowmarkException e) {
      if (e.category() != Category.CONFLICT) {
        throw e;
      }
      return Landed.refused(String.valueOf(e.getMessage()));
    }
    StagedChange data =
        new StagedChange(names.data(), staged.transaction(), staged.base(), staged.snapshot());
    StagedChange entries =
        follow == null
            ? null
            : new StagedChange(
                names.index(), follow.transaction(), follow.base(), follow.snapshot());
    CommitOutcome outcome = commits.commit(data, entries);
    if (outcome instanceof CommitOutcome.Refused && follow != null) {
      follow.discard();
    }
    return new Landed(outcome, groups, dead, staged);
  }

  private FollowingIndex follow(Table index, List<RewrittenGroup> groups, StagedRewrite staged) {
    return groups.isEmpty()
        ? FollowingIndex.claimOnly(names, index, staged.after())
        : FollowingIndex.of(spark, names, index, staged.after());
  }

  private Optional<Table> index() {
    return indexing == Indexing.NONE
        ? Optional.empty()
        : IndexTables.find(names.catalog(), names.index());
  }

  /** The index first: what is committed in between makes the data newer, never the index. */
  private Opened open() {
    Optional<Table> index = index();
    Table data = names.loadData();
    if (index.isEmpty() || isFresh(index.get(), data)) {
      return new Opened(index, data);
    }
    new TableUpkeep(spark).reconcile(names);
    index = index();
    data = names.loadData();
    if (index.isPresent() && !isFresh(index.get(), data)) {
      throw new RowmarkException(
          Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "Table %s changed while its index was brought up to date. Run again."
              .formatted(names.data()),
          null);
    }
    return new Opened(index, data);
  }

  private boolean isFresh(Table index, Table data) {
    return IndexTables.freshness(index, data, names.keyOf(data)) instanceof Freshness.Fresh;
  }
}
