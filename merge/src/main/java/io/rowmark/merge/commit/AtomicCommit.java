package io.rowmark.merge.commit;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerWriter;
import io.rowmark.merge.stage.StagedBatch;
import io.rowmark.merge.stage.StagedTable;
import io.rowmark.merge.stage.StagedTable.StagedChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.ImmutableTableCommit;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.util.SnapshotUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Data tables, index tables and ledger in one multi-table REST commit.
 *
 * <p>The server checks the requirements of every table and swaps all of them or none. Its answer is
 * not taken at its word: some servers commit one table after another, and a lost answer says
 * nothing. After every answer but a plain success the tables are read for the batch's mark.
 */
public final class AtomicCommit implements CommitProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(AtomicCommit.class);

  private final RESTCatalog catalog;
  private final StepListener listener;
  private final RetryPolicy<Presence> looks;

  /** What the tables say of a batch. */
  private enum Presence {
    /** Every staged snapshot is in place. */
    ALL,
    /** None is, and no table can take the commit any more. */
    NONE_AND_OVERTAKEN,
    /** None is, and it may still land. */
    NONE,
    /** Some are. */
    SOME
  }

  public AtomicCommit(RESTCatalog catalog, StepListener listener) {
    this.catalog = catalog;
    this.listener = listener;
    this.looks =
        RetryPolicy.<Presence>builder()
            .handle(RuntimeException.class)
            .handleResultIf(seen -> seen == Presence.NONE || seen == Presence.SOME)
            .withBackoff(Duration.ofMillis(250), Duration.ofSeconds(8))
            .withJitter(0.2)
            .withMaxAttempts(7)
            .build();
  }

  @Override
  public String label() {
    return "atomic";
  }

  @Override
  public CommitOutcome commit(StagedBatch batch) {
    List<StagedChange> changes = changes(batch);
    changes.add(ledgerChange(batch));
    return send(
        batch.batchId(), changes, reason -> new CommitOutcome.Refused(reason, batch.tables()));
  }

  @Override
  public CommitOutcome commit(
      String mark, List<StagedChange> changes, Consumer<List<StagedChange>> refused) {
    return send(
        mark,
        changes,
        reason -> {
          refused.accept(changes);
          return new CommitOutcome.Refused(reason, List.of());
        });
  }

  /**
   * @param refusal makes the outcome of a commit of which nothing is in place, from its reason
   */
  private CommitOutcome send(
      String mark, List<StagedChange> changes, Function<String, CommitOutcome> refusal) {
    List<TableCommit> commits = changes.stream().map(AtomicCommit::toCommit).toList();
    try {
      catalog.commitTransaction(commits);
    } catch (UnsupportedOperationException e) {
      throw RowmarkException.config(
          "The catalog does not serve the multi-table commit (%s). Set commit.mode = ordered."
              .formatted(e.getMessage()));
    } catch (CommitFailedException e) {
      // also seen when a repeated request meets its own first try: look before believing it
      return afterConflict(changes, refusal, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.warn("Batch {}: the catalog's answer was lost, looking for the batch", mark, e);
      return afterLostAnswer(changes, e);
    }
    CommitOutcome outcome = afterSuccess(changes);
    listener.reached(Checkpoint.BATCH_COMMITTED);
    return outcome;
  }

  private static List<StagedChange> changes(StagedBatch batch) {
    List<StagedChange> changes = new ArrayList<>();
    for (StagedTable table : batch.tables()) {
      if (table.data().changes()) {
        changes.add(table.data());
      }
      StagedChange index = table.index();
      if (index != null && index.changes()) {
        changes.add(index);
      }
    }
    return changes;
  }

  private StagedChange ledgerChange(StagedBatch batch) {
    Table ledger = catalog.loadTable(batch.ledgerName());
    BaseTransaction transaction = (BaseTransaction) ledger.newTransaction();
    var append = transaction.newAppend();
    Instant time = LedgerWriter.afterAllOf(ledger);
    List<LedgerEntry> entries =
        batch.entries().stream().map(entry -> entry.as(entry.status(), time)).toList();
    append.appendFile(Ledger.write(ledger, entries));
    LedgerWriter.summary(batch.batchId(), time).forEach(append::set);
    append.commit();
    return new StagedChange(
        batch.ledgerName(),
        transaction,
        ledger.currentSnapshot(),
        transaction.currentMetadata().currentSnapshot());
  }

  /**
   * The requirements that Iceberg derives (uuid, branch) and those it leaves out: that columns,
   * partitions and sort order are still what the files were written for.
   */
  private static TableCommit toCommit(StagedChange change) {
    TableMetadata base = change.transaction().startMetadata();
    TableCommit derived =
        TableCommit.create(change.name(), base, change.transaction().currentMetadata());
    List<UpdateRequirement> requirements = new ArrayList<>(derived.requirements());
    requirements.add(new UpdateRequirement.AssertCurrentSchemaID(base.currentSchemaId()));
    requirements.add(new UpdateRequirement.AssertDefaultSpecID(base.defaultSpecId()));
    requirements.add(new UpdateRequirement.AssertDefaultSortOrderID(base.defaultSortOrderId()));
    return ImmutableTableCommit.builder().from(derived).requirements(requirements).build();
  }

  private CommitOutcome afterSuccess(List<StagedChange> changes) {
    Presence seen = look(changes);
    return switch (seen) {
      case ALL -> new CommitOutcome.Committed();
      case SOME, NONE, NONE_AND_OVERTAKEN ->
          new CommitOutcome.Torn(
              "The catalog reported success, but not every table has the batch: "
                  + describe(changes));
    };
  }

  private CommitOutcome afterConflict(
      List<StagedChange> changes, Function<String, CommitOutcome> refusal, String reason) {
    Presence seen = lookOnce(changes);
    return switch (seen) {
      case ALL -> new CommitOutcome.Committed();
      case NONE, NONE_AND_OVERTAKEN -> refusal.apply(reason);
      case SOME ->
          new CommitOutcome.Torn(
              "The catalog refused, but some tables have the batch: " + describe(changes));
    };
  }

  private CommitOutcome afterLostAnswer(List<StagedChange> changes, RuntimeException cause) {
    String reason =
        cause instanceof CommitStateUnknownException && cause.getCause() != null
            ? String.valueOf(cause.getCause().getMessage())
            : String.valueOf(cause.getMessage());
    try {
      Presence seen = look(changes);
      return switch (seen) {
        case ALL -> new CommitOutcome.Committed();
        // the request may still reach a server that is not atomic: its files stay
        case NONE_AND_OVERTAKEN -> new CommitOutcome.Refused(reason, List.of());
        case NONE -> new CommitOutcome.Unknown(reason);
        case SOME -> new CommitOutcome.Torn(reason + "; " + describe(changes));
      };
    } catch (RuntimeException e) {
      return new CommitOutcome.Unknown(reason + "; and then: " + e.getMessage());
    }
  }

  private Presence look(List<StagedChange> changes) {
    return Failsafe.with(looks).get(() -> lookOnce(changes));
  }

  private Presence lookOnce(List<StagedChange> changes) {
    int present = 0;
    int asked = 0;
    boolean overtaken = false;
    for (StagedChange change : changes) {
      Snapshot staged = change.snapshot();
      if (staged == null) {
        continue;
      }
      asked++;
      Table now = catalog.loadTable(change.name());
      if (isIn(now, staged.snapshotId())) {
        present++;
      } else {
        overtaken |= headMoved(now, change);
      }
    }
    if (present == asked) {
      return Presence.ALL;
    }
    return present > 0 ? Presence.SOME : overtaken ? Presence.NONE_AND_OVERTAKEN : Presence.NONE;
  }

  private static boolean isIn(Table table, long snapshotId) {
    return SnapshotUtil.currentAncestorIds(table).contains(snapshotId);
  }

  private static boolean headMoved(Table now, StagedChange change) {
    Snapshot base = change.base();
    Snapshot head = now.currentSnapshot();
    return base == null ? head != null : head == null || head.snapshotId() != base.snapshotId();
  }

  private String describe(List<StagedChange> changes) {
    List<String> parts = new ArrayList<>();
    for (StagedChange change : changes) {
      Snapshot staged = change.snapshot();
      TableIdentifier name = change.name();
      if (staged != null) {
        boolean there = isIn(catalog.loadTable(name), staged.snapshotId());
        parts.add(name + (there ? " has it" : " does not"));
      }
    }
    return String.join(", ", parts);
  }
}
