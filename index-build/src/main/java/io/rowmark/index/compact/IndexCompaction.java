package io.rowmark.index.compact;

import io.rowmark.index.scan.JobDescription;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.actions.RewriteDataFiles;
import org.apache.iceberg.actions.SizeBasedFileRewritePlanner;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.SparkSession;

/**
 * Merges runs of an index into one sorted file, with Iceberg's own action. The commit is of the
 * kind {@code replace} and leaves every entry as it was, so what the index claims to cover still
 * holds ({@link io.rowmark.index.IndexTables#state}).
 */
public final class IndexCompaction {

  /**
   * What a merge did.
   *
   * @param files merged
   * @param bytes of these files
   */
  public record Merged(int files, long bytes) {}

  private IndexCompaction() {}

  /** Files of this size and more are never merged, in bytes. */
  public static long largest(Table index) {
    return PropertyUtil.propertyAsLong(
        index.properties(),
        TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
        TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
  }

  /**
   * Merges a tier and commits. A commit of someone else in between makes it fail, and then nothing
   * has changed.
   *
   * @param index as the tier was chosen from; refreshed afterwards
   */
  public static Merged merge(SparkSession spark, Table index, RunTier tier) {
    try (JobDescription ignored =
        JobDescription.set(
            spark, "Rowmark: merge %d runs of %s".formatted(tier.files(), index.name()))) {
      RewriteDataFiles.Result result =
          SparkActions.get(spark)
              .rewriteDataFiles(index)
              .sort()
              .option(SizeBasedFileRewritePlanner.MIN_FILE_SIZE_BYTES, Long.toString(tier.below()))
              .option(
                  SizeBasedFileRewritePlanner.TARGET_FILE_SIZE_BYTES,
                  Long.toString(Math.max(largest(index), tier.below() + 1)))
              .option(
                  SizeBasedFileRewritePlanner.MAX_FILE_SIZE_BYTES, Long.toString(Long.MAX_VALUE))
              .option(SizeBasedFileRewritePlanner.MIN_INPUT_FILES, "2")
              .execute();
      index.refresh();
      return new Merged(result.rewrittenDataFilesCount(), result.rewrittenBytesCount());
    }
  }
}
