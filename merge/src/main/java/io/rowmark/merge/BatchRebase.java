package io.rowmark.merge;

import io.rowmark.index.scan.JobDescription;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.plan.DeleteMode;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.plan.Reopened;
import io.rowmark.merge.plan.TableOpener;
import io.rowmark.merge.plan.TableReopener;
import io.rowmark.merge.resolve.PositionResolver;
import io.rowmark.merge.resolve.ResolvedTable;
import io.rowmark.merge.resolve.SameRows;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.stage.BatchMarker;
import io.rowmark.merge.write.WrittenTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.iceberg.catalog.Catalog;

/**
 * Carries the files of a refused batch over to the tables as they are by now, after others
 * committed to them. What those did is not looked at: the indexes are brought up to date from the
 * files that came and went, and all keys of the batch are looked up in them again. If every change
 * that applied still does, and every row takes along the row id that it was written with, then the
 * files are those that would be written now, whatever happened.
 */
final class BatchRebase {
  private final Catalog catalog;
  private final TableOpener opener;
  private final PositionResolver resolver;
  private final Function<String, JobDescription> jobs;
  private final Consumer<ResolvedTable> resolved;

  /**
   * @param jobs says in Spark what is done for a table
   * @param resolved gets what holds data that Spark keeps
   */
  BatchRebase(
      Catalog catalog,
      TableOpener opener,
      PositionResolver resolver,
      Function<String, JobDescription> jobs,
      Consumer<ResolvedTable> resolved) {
    this.catalog = catalog;
    this.opener = opener;
    this.resolver = resolver;
    this.jobs = jobs;
    this.resolved = resolved;
  }

  /**
   * @param written of tables that have nothing of the batch
   * @param listed the ledger as it was when the inputs of the batch were chosen
   * @param now the ledger
   */
  Rebase rebase(SourceBatch batch, List<WrittenTable> written, Ledger listed, Ledger now) {
    Optional<String> landed = landed(batch, written, listed, now);
    if (landed.isPresent()) {
      return new Rebase.Redo(landed.get());
    }
    List<WrittenTable> tables = new ArrayList<>();
    long keys = 0;
    for (Rebase decision : EachTable.map(written, one -> rebase(one, now))) {
      if (!(decision instanceof Rebase.Rebased rebased)) {
        return decision;
      }
      tables.addAll(rebased.tables());
      keys += rebased.keys();
    }
    return new Rebase.Rebased(tables, keys);
  }

  /** Another run may have taken the same inputs meanwhile, as this batch or as another. */
  private Optional<String> landed(
      SourceBatch batch, List<WrittenTable> written, Ledger listed, Ledger now) {
    for (WrittenTable one : written) {
      TableInput input = one.resolved().normalized().input();
      String table = input.spec().table();
      for (InputFile file : input.files()) {
        if (!listed.doneAt(table, file.name()).equals(now.doneAt(table, file.name()))) {
          return Optional.of("another run brought inputs of table " + table);
        }
      }
      if (BatchMarker.isIn(catalog.loadTable(one.resolved().table().name()), batch.id())) {
        return Optional.of("table %s has the batch already".formatted(table));
      }
    }
    return Optional.empty();
  }

  private Rebase rebase(WrittenTable written, Ledger ledger) {
    ResolvedTable before = written.resolved();
    String name = before.table().spec().table();
    Optional<String> obstacle = SameRows.obstacle(before);
    if (obstacle.isPresent()) {
      return redo(name, obstacle.get());
    }
    Reopened reopened =
        new TableReopener(opener).reopen(before.table(), before.normalized().shape());
    if (reopened instanceof Reopened.Changed changed) {
      return redo(name, changed.reason());
    }
    OpenTable now = ((Reopened.Fitting) reopened).table();
    GivenUpBatches.check(ledger, now);
    if (!(now.deletes() instanceof DeleteMode.ByPosition)) {
      return carried(written, before.onto(now), 0);
    }
    ResolvedTable again = resolve(name, now, before);
    return SameRows.difference(before, again)
        .map(reason -> redo(name, reason))
        .orElseGet(() -> carried(written, again, again.counts().applied()));
  }

  private ResolvedTable resolve(String name, OpenTable now, ResolvedTable before) {
    try (JobDescription text = jobs.apply(name)) {
      ResolvedTable again = resolver.resolve(opener.names(now.spec()), now, before.normalized());
      resolved.accept(again);
      return again;
    }
  }

  private static Rebase redo(String table, String reason) {
    return new Rebase.Redo("of table %s: %s".formatted(table, reason));
  }

  private static Rebase carried(WrittenTable written, ResolvedTable now, long keys) {
    WrittenTable carried =
        new WrittenTable(
            now,
            written.dataFiles(),
            written.indexFiles(),
            List.of(),
            List.of(),
            written.keyDeletes());
    return new Rebase.Rebased(List.of(carried), keys);
  }
}
