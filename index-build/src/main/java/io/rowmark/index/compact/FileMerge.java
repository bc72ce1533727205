package io.rowmark.index.compact;

import io.rowmark.index.scan.JobDescription;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.actions.BinPackRewriteFilePlanner;
import org.apache.iceberg.actions.RewriteDataFiles;
import org.apache.iceberg.actions.SizeBasedFileRewritePlanner;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.SparkSession;

/**
 * Merges the small files of an index, or of a ledger, into one, with Iceberg's own action and in
 * the table's order if it has one. The commit is of the kind {@code replace} and leaves every row
 * as it was, so what an index claims to cover still holds ({@link
 * io.rowmark.index.IndexTables#state}).
 */
public final class FileMerge {

  /**
   * What a merge did.
   *
   * @param files merged
   * @param bytes of these files
   */
  public record Merged(int files, long bytes) {}

  private FileMerge() {}

  /** Files of this size and more are never merged, in bytes. */
  public static long largest(Table table) {
    return PropertyUtil.propertyAsLong(
        table.properties(),
        TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
        TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
  }

  /**
   * Merges a tier and commits. A commit of someone else in between makes it fail, and then nothing
   * has changed.
   *
   * @param table as the tier was chosen from; refreshed afterwards
   */
  public static Merged merge(SparkSession spark, Table table, RunTier tier) {
    try (JobDescription ignored =
        JobDescription.set(
            spark, "Rowmark: merge %d files of %s".formatted(tier.files(), table.name()))) {
      RewriteDataFiles.Result result =
          action(spark, table)
              .option(SizeBasedFileRewritePlanner.MIN_FILE_SIZE_BYTES, Long.toString(tier.below()))
              .option(
                  SizeBasedFileRewritePlanner.TARGET_FILE_SIZE_BYTES,
                  Long.toString(Math.max(largest(table), tier.below() + 1)))
              .execute();
      table.refresh();
      return new Merged(result.rewrittenDataFilesCount(), result.rewrittenBytesCount());
    }
  }

  /**
   * Rewrites what a closer look chose, and commits. Files come out sorted over all of them, so that
   * their ranges do not overlap.
   *
   * @param table as the choice was made from; refreshed afterwards
   */
  public static Merged merge(SparkSession spark, Table table, MergeChoice choice) {
    try (JobDescription ignored =
        JobDescription.set(
            spark, "Rowmark: merge %d files of %s".formatted(choice.files(), table.name()))) {
      RewriteDataFiles action =
          action(spark, table)
              .option(
                  BinPackRewriteFilePlanner.DELETE_RATIO_THRESHOLD,
                  Double.toString(choice.deadShare()))
              .option(
                  SizeBasedFileRewritePlanner.MIN_FILE_SIZE_BYTES, Long.toString(choice.below()))
              .option(
                  SizeBasedFileRewritePlanner.TARGET_FILE_SIZE_BYTES,
                  Long.toString(Math.max(largest(table), choice.below() + 1)));
      if (choice.scope() == MergeChoice.Scope.ALL) {
        action = action.option(SizeBasedFileRewritePlanner.REWRITE_ALL, "true");
      }
      RewriteDataFiles.Result result = action.execute();
      table.refresh();
      return new Merged(result.rewrittenDataFilesCount(), result.rewrittenBytesCount());
    }
  }

  private static RewriteDataFiles action(SparkSession spark, Table table) {
    RewriteDataFiles action = SparkActions.get(spark).rewriteDataFiles(table);
    return (table.sortOrder().isUnsorted() ? action.binPack() : action.sort())
        .option(SizeBasedFileRewritePlanner.MAX_FILE_SIZE_BYTES, Long.toString(Long.MAX_VALUE))
        .option(SizeBasedFileRewritePlanner.MIN_INPUT_FILES, "2");
  }
}
