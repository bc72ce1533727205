package io.rowmark.merge.source;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.source.VersionRows.Span;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Delta tables as sources. Each version that changes rows is an input, recorded in the ledger as a
 * landed file is, so that each goes in exactly once.
 */
final class DeltaSource {
  private final SparkSession spark;
  private final Catalog catalog;
  private final BatchSpec limits;

  /**
   * @param catalog of the target tables
   */
  DeltaSource(SparkSession spark, Catalog catalog, BatchSpec limits) {
    this.spark = spark;
    this.catalog = catalog;
    this.limits = limits;
  }

  /**
   * The versions that a target table has not read; empty when there is none that changes rows.
   *
   * @throws RowmarkException SOURCE when the source table is missing, or does not tell what changed
   */
  Optional<TableInput> next(TableSpec target, SeenInputs seen) {
    DeltaTable source = DeltaTable.of(spark, target.topic());
    DeltaVersion head = newest(source, target);
    Optional<SnapshotName> last = SnapshotName.last(seen, target.table(), source.name());
    Long start = target.feed().startSnapshot();
    if (last.isEmpty() && start == null) {
      return whole(source, target, head);
    }
    long read = Math.max(last.map(SnapshotName::snapshot).orElse(-1L), start == null ? -1 : start);
    DeltaHistory history = new DeltaHistory(source, target, head);
    // who names a version later than the one that was read knows that nothing leads there
    boolean continues = last.isPresent() && read == last.get().snapshot();
    List<DeltaVersion> unread =
        history.since(
            read,
            continues ? seen.timeOf(target.table(), last.get().toString()) : Optional.empty());
    long number = last.map(SnapshotName::number).orElse(0L);
    DeltaSpans spans = new DeltaSpans(source, target, columns(target));
    List<DeltaVersion> left = unread;
    while (!left.isEmpty()) {
      List<DeltaVersion> some = limited(left);
      DeltaSpans.Planned planned = spans.of(some);
      if (!planned.inputs().isEmpty()) {
        return Optional.of(input(source, target, number, planned));
      }
      left = left.subList(some.size(), left.size());
    }
    return Optional.empty();
  }

  private @Nullable Schema columns(TableSpec target) {
    TableIdentifier name = TableIdentifier.parse(target.table());
    return catalog.tableExists(name) ? catalog.loadTable(name).schema() : null;
  }

  private static TableInput input(
      DeltaTable source, TableSpec target, long last, DeltaSpans.Planned planned) {
    List<InputFile> files = new ArrayList<>();
    for (DeltaVersion version : planned.inputs()) {
      files.add(file(source, last + files.size() + 1, version, version.bytes()));
    }
    return new TableInput(target, files, new InputContent.DeltaVersions(planned.spans()));
  }

  private static InputFile file(DeltaTable source, long number, DeltaVersion version, long bytes) {
    return new InputFile(
        source.name(),
        new SnapshotName(source.name(), number, version.number()).toString(),
        bytes,
        version.at());
  }

  private static DeltaVersion newest(DeltaTable source, TableSpec target) {
    List<DeltaVersion> newest = source.newest(1);
    if (newest.isEmpty()) {
      throw RowmarkException.source(
          "Delta table %s, the source of table %s, has no versions. Correct its topic."
              .formatted(source.name(), target.table()));
    }
    return newest.get(0);
  }

  private Optional<TableInput> whole(DeltaTable source, TableSpec target, DeltaVersion head) {
    Dataset<Row> rows = source.at(head.number());
    DeltaColumns.refuseReserved(source.name(), rows.schema());
    if (rows.inputFiles().length == 0) {
      return Optional.empty();
    }
    long bytes = rows.queryExecution().optimizedPlan().stats().sizeInBytes().longValue();
    InputFile file = file(source, 1, head, bytes);
    VersionRows read =
        new VersionRows(source, new Span.Whole(head.number()), Map.of(head.number(), 0));
    return Optional.of(
        new TableInput(target, List.of(file), new InputContent.DeltaVersions(List.of(read))));
  }

  /** The versions that one batch takes: at least one, and as many without change as lie between. */
  private List<DeltaVersion> limited(List<DeltaVersion> versions) {
    List<DeltaVersion> some = new ArrayList<>();
    int taken = 0;
    long bytes = 0;
    for (DeltaVersion version : versions) {
      if (version.mayChangeRows()) {
        bytes += version.bytes();
        if (limits.isFull(taken, bytes)) {
          break;
        }
        taken++;
      }
      some.add(version);
    }
    return some;
  }
}
