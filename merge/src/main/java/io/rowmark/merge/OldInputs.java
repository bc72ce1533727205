package io.rowmark.merge;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerWriter;
import io.rowmark.merge.plan.Namespaces;
import io.rowmark.merge.source.InputContent;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.LandingFolder;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.Since;
import io.rowmark.merge.spec.SourcePlace;
import io.rowmark.merge.spec.TableSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Passes over files that landed before an instant. Each is recorded in the ledger as passed over,
 * in a commit of its own and before the batch: were it left to the runs to say it again, one that
 * does not would take what the others left.
 */
public final class OldInputs {
  private final PipelineSpec pipeline;
  private final Catalog catalog;
  private final Configuration hadoop;

  /**
   * @param hadoop for the landing folder
   */
  public OldInputs(PipelineSpec pipeline, Catalog catalog, Configuration hadoop) {
    this.pipeline = pipeline;
    this.catalog = catalog;
    this.hadoop = hadoop;
  }

  /**
   * Records the files that are new and older than wanted.
   *
   * @return how many there were
   * @throws RowmarkException CONFIG when the instant lies in the future, the ledger has no such
   *     batch, or the changes are not in files
   */
  public int passOver(Since since) {
    if (!(pipeline.source().place() instanceof SourcePlace.Folder place)) {
      throw RowmarkException.config(
          "--since passes over landed files, and source.kind is not files. Set start-snapshot of each"
              + " table to the snapshot or version that counts as read.");
    }
    TableIdentifier name = TableIdentifier.parse(pipeline.ledgerTable());
    Namespaces.create(catalog, name.namespace());
    Ledger ledger = Ledger.open(catalog, name);
    Instant from = instant(since, ledger);
    LandingFolder folder = LandingFolder.open(place, hadoop);
    List<TableInput> old = new ArrayList<>();
    for (TableSpec table : pipeline.tables()) {
      List<InputFile> files =
          folder.has(table.topic())
              ? folder.list(table.topic()).stream()
                  .filter(file -> file.modified().isBefore(from))
                  .filter(file -> ledger.isNew(table.table(), file))
                  .toList()
              : List.of();
      if (!files.isEmpty()) {
        old.add(new TableInput(table, files, new InputContent.Files()));
      }
    }
    SourceBatch passed = SourceBatch.of(pipeline.name() + " passes over", old, List.of());
    Instant now = Instant.now();
    new LedgerWriter(catalog, name)
        .append(
            passed.id(),
            old.stream()
                .flatMap(input -> LedgerEntry.passedOver(passed.id(), input, now).stream())
                .toList());
    return passed.fileCount();
  }

  private static Instant instant(Since since, Ledger ledger) {
    if (since instanceof Since.Batch batch) {
      return ledger
          .recordedAt(batch.id())
          .orElseThrow(
              () ->
                  RowmarkException.config(
                      "--since names batch %s, and the ledger %s has no such batch."
                          .formatted(batch.id(), ledger.table().name())));
    }
    Instant at = ((Since.Time) since).at();
    if (at.isAfter(Instant.now())) {
      throw RowmarkException.config(
          "--since is %s, which lies in the future: all files would be passed over.".formatted(at));
    }
    return at;
  }
}
