package io.rowmark.index.convert;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.failure.RowmarkException.Retry;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.index.IndexCarry;
import io.rowmark.index.TableSwap;
import io.rowmark.index.write.RefusedDeletes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a table's deletes by deletes by position, one commit after another, while others go on
 * writing. After each commit every reader sees the rows of before; a run that is killed is
 * continued by the next one, from what the table itself tells.
 */
public final class TableConversion {
  private static final Logger LOG = LoggerFactory.getLogger(TableConversion.class);

  private final SparkSession spark;
  private final Catalog catalog;
  private final TableIdentifier name;
  private final TableIdentifier index;
  private final Function<Table, DeleteFormat> format;
  private final ConversionLimits limits;

  /**
   * @param index name of the table's index; there need not be one
   * @param format that the table as loaded may have; throws where it may have none
   */
  public TableConversion(
      SparkSession spark,
      Catalog catalog,
      TableIdentifier name,
      TableIdentifier index,
      Function<Table, DeleteFormat> format,
      ConversionLimits limits) {
    this.spark = spark;
    this.catalog = catalog;
    this.name = name;
    this.index = index;
    this.format = format;
    this.limits = limits;
  }

  /**
   * Converts the deletes that the table has when the run begins, as far as the limits allow.
   *
   * @param done told of each commit
   * @return the commits; none if there was nothing to do
   * @throws RowmarkException CONFLICT when others forestalled a commit time and again; what was
   *     committed before stays. UNKNOWN_COMMIT when the catalog's answer was lost
   */
  public List<SliceReport> run(Consumer<SliceReport> done) {
    List<SliceReport> reports = new ArrayList<>();
    Snapshot begin = catalog.loadTable(name).currentSnapshot();
    while (begin != null && reports.size() < limits.maxCommits()) {
      Optional<SliceReport> next = slice(reports.size() + 1, begin.sequenceNumber());
      if (next.isEmpty()) {
        break;
      }
      reports.add(next.get());
      done.accept(next.get());
    }
    return List.copyOf(reports);
  }

  private Optional<SliceReport> slice(int number, long upTo) {
    long start = System.nanoTime();
    @Nullable Exception last = null;
    for (int attempt = 1; attempt <= limits.attempts(); attempt++) {
      Table table = catalog.loadTable(name);
      Optional<ConversionSlice> slice =
          ConversionSlice.next(table, format.apply(table), upTo, limits.maxBytes());
      if (slice.isEmpty()) {
        return Optional.empty();
      }
      ConversionPlan work = slice.get().work();
      List<FileDeletes> written = DeleteConversion.write(spark, table, work);
      try {
        Snapshot committed = commit(slice.get(), written);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        return Optional.of(
            new SliceReport(
                number,
                committed.snapshotId(),
                DeleteConversion.report(work, written),
                work.files().stream().mapToLong(file -> file.file().fileSizeInBytes()).sum(),
                carry(table, work, committed),
                attempt,
                slice.get().left(),
                slice.get().leftBytes(),
                millis));
      } catch (ValidationException | CommitFailedException | IllegalArgumentException e) {
        // the last one is Iceberg's answer to a rollback, and to an upgrade of the format version
        LOG.info("Others forestalled attempt {} of slice {}", attempt, number, e);
        RefusedDeletes.remove(table.io(), DeleteConversion.added(written));
        last = e;
      }
    }
    throw new RowmarkException(
        Category.CONFLICT,
        Retry.HELPS,
        "Other writers changed the data files of table %s %d times while their deletes were converted. Slices that were committed before stay. Run again, with smaller slices (--max-bytes) or when no compaction runs."
            .formatted(name, limits.attempts()),
        last);
  }

  /**
   * Deletes that others add meanwhile are no conflict: they stay, and hide what they hide beside
   * those by position.
   */
  private Snapshot commit(ConversionSlice slice, List<FileDeletes> written) {
    try {
      return TableSwap.onNewest(
          () -> catalog.loadTable(name),
          SnapshotRef.MAIN_BRANCH,
          transaction -> stage(transaction, slice, written));
    } catch (ValidationException | CommitFailedException | IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new RowmarkException(
          Category.UNKNOWN_COMMIT,
          Retry.HELPS,
          "The catalog gave no clear answer to a commit on table %s: it may or may not be in place. No file was removed. Run again: a conversion goes on from what is in place."
              .formatted(name),
          e);
    }
  }

  private static void stage(
      Transaction transaction, ConversionSlice slice, List<FileDeletes> written) {
    Snapshot base = Objects.requireNonNull(slice.work().base());
    RowDelta delta = transaction.newRowDelta();
    DeleteConversion.put(delta, slice.work(), written);
    slice.progress().toSummary().forEach(delta::set);
    delta.validateFromSnapshot(base.snapshotId());
    delta.commit();
  }

  private IndexCarry.Outcome carry(Table table, ConversionPlan work, Snapshot committed) {
    return IndexCarry.over(catalog, index, table, Objects.requireNonNull(work.base()), committed);
  }
}
