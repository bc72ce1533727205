package io.rowmark.merge.source;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.record.RowsPart;
import io.rowmark.merge.source.SourceHistory.Step;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.SourcePlace.IcebergTables;
import io.rowmark.merge.spec.TableSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Iceberg tables as sources. Each snapshot that changes rows is an input, recorded in the ledger as
 * a landed file is, so that each goes in exactly once.
 */
final class SourceTables {
  private final Catalog catalog;
  private final IcebergTables settings;
  private final BatchSpec limits;

  SourceTables(Catalog catalog, IcebergTables settings, BatchSpec limits) {
    this.catalog = catalog;
    this.settings = settings;
    this.limits = limits;
  }

  /** One step with what is to be read for it. */
  private record Taken(InputFile file, List<RowsPart> parts) {}

  /**
   * The snapshots that a target table has not read; empty when there is none that changes rows.
   *
   * @throws RowmarkException SOURCE when the source table is missing, or does not tell what changed
   */
  Optional<TableInput> next(TableSpec target, SeenInputs seen) {
    Table source = load(target);
    Optional<SnapshotName> last = SnapshotName.last(seen, target.table(), target.topic());
    List<Step> steps =
        new SourceHistory(source, target, settings.changes())
            .unread(last.map(SnapshotName::snapshot).orElse(null));
    long number = last.map(SnapshotName::number).orElse(0L);
    List<Taken> taken = taken(source, target, steps, number);
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new TableInput(
            target,
            taken.stream().map(Taken::file).toList(),
            new InputContent.TableRows(
                taken.stream().flatMap(step -> step.parts().stream()).toList())));
  }

  private List<Taken> taken(Table source, TableSpec target, List<Step> steps, long last) {
    SnapshotParts planner = new SnapshotParts(source, settings);
    List<Taken> taken = new ArrayList<>();
    BatchFill fill = new BatchFill(limits);
    for (Step step : steps) {
      List<RowsPart> parts = planner.of(step, taken.size());
      if (parts.isEmpty()) {
        continue;
      }
      long size = parts.stream().mapToLong(RowsPart::bytes).sum();
      long rows = parts.stream().mapToLong(part -> part.rows().file().recordCount()).sum();
      if (!fill.take(size, enough -> rows)) {
        break;
      }
      SnapshotName name =
          new SnapshotName(target.topic(), last + taken.size() + 1, step.to().snapshotId());
      taken.add(
          new Taken(
              new InputFile(
                  source.location(),
                  name.toString(),
                  size,
                  Instant.ofEpochMilli(step.to().timestampMillis())),
              parts));
    }
    return taken;
  }

  private Table load(TableSpec target) {
    TableIdentifier name = TableIdentifier.parse(target.topic());
    if (!catalog.tableExists(name)) {
      throw RowmarkException.source(
          "Source table %s of table %s does not exist in the catalog. Correct its topic."
              .formatted(name, target.table()));
    }
    Table source = catalog.loadTable(name);
    if (TableUtil.formatVersion(source) < 2) {
      throw RowmarkException.source(
          "Source table %s has format version 1, whose snapshots have no sequence numbers. Upgrade it to version 2."
              .formatted(name));
    }
    return source;
  }
}
