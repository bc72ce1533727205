package io.rowmark.merge.maintain;

import io.rowmark.index.scan.JobDescription;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.apache.iceberg.Table;
import org.apache.iceberg.actions.DeleteOrphanFiles;
import org.apache.iceberg.actions.DeleteOrphanFiles.PrefixMismatchMode;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.spark.sql.SparkSession;

/** Lists what lies below a table's location and no snapshot names. Removes nothing. */
final class OrphanSearch {
  private OrphanSearch() {}

  /**
   * Lists with Iceberg's Spark action, which is given nothing to remove files with.
   *
   * @param unchangedSince younger files are not looked at
   */
  static OrphanReport run(SparkSession spark, String name, Table table, Instant unchangedSince) {
    long start = System.nanoTime();
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: look for orphan files of " + table.name())) {
      DeleteOrphanFiles.Result result =
          SparkActions.get(spark)
              .deleteOrphanFiles(table)
              .olderThan(unchangedSince.toEpochMilli())
              .prefixMismatchMode(PrefixMismatchMode.IGNORE)
              .deleteWith(path -> {})
              .execute();
      List<String> files =
          StreamSupport.stream(result.orphanFileLocations().spliterator(), false).sorted().toList();
      return new OrphanReport(
          name, unchangedSince, files, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }
  }
}
