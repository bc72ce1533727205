package io.rowmark.merge.normalize;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.VersionRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.SerializableConfiguration;

/** The events of versions of a Delta table, which only Spark can read. */
final class VersionEvents {
  /** Rows that one task can have before places of another one begin. */
  private static final int PLACE_BITS = 40;

  private final SparkSession spark;
  private final List<VersionRows> spans;
  private final List<InputFile> inputs;

  /**
   * @param inputs by the ranks that the spans give them
   */
  VersionEvents(SparkSession spark, List<VersionRows> spans, List<InputFile> inputs) {
    this.spark = spark;
    this.spans = spans;
    this.inputs = inputs;
  }

  /** What the first row shows: its schema has all columns. */
  SliceSummary firstLook(DecodePlan plan) {
    for (VersionRows span : spans) {
      for (Dataset<Row> rows : read(span::rows)) {
        List<Row> first = read(() -> rows.limit(1).collectAsList());
        if (!first.isEmpty()) {
          SliceEvents look =
              new SliceEvents(
                  plan,
                  readers ->
                      new VersionParts(first.iterator(), rows.schema(), span.inputs(), inputs, 0),
                  hadoop(),
                  first.size());
          look.forEachRemaining(event -> {});
          return look.summary();
        }
      }
    }
    return SliceSummary.EMPTY;
  }

  private Configuration hadoop() {
    return spark.sparkContext().hadoopConfiguration();
  }

  /** All events, kept by Spark; read when they are asked for. */
  Dataset<Row> events(DecodePlan plan, StructType type) {
    Dataset<Row> all = null;
    for (VersionRows span : spans) {
      for (Dataset<Row> rows : read(span::rows)) {
        Dataset<Row> events =
            rows.mapPartitions(task(plan, rows.schema(), span), Encoders.row(type));
        all = all == null ? events : all.union(events);
      }
    }
    return Objects.requireNonNull(all).persist(StorageLevel.MEMORY_AND_DISK());
  }

  private MapPartitionsFunction<Row, Row> task(
      DecodePlan plan, StructType schema, VersionRows span) {
    SerializableConfiguration hadoop = new SerializableConfiguration(hadoop());
    Map<Long, Integer> ranks = span.inputs();
    List<InputFile> files = new ArrayList<>(inputs);
    return rows ->
        new SliceEvents(
            plan,
            readers ->
                new VersionParts(
                    rows, schema, ranks, files, (long) TaskContext.getPartitionId() << PLACE_BITS),
            hadoop.value(),
            Long.MAX_VALUE);
  }

  /**
   * What Spark makes of the table's files.
   *
   * @throws RowmarkException SOURCE when they cannot be read
   */
  <T> T read(Supplier<T> work) {
    try {
      return work.get();
    } catch (Exception e) { // Spark throws checked exceptions through methods that declare none
      Throwable root = e;
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof RowmarkException known) {
          throw known;
        }
        root = cause;
      }
      throw RowmarkException.source(
          ("Inputs %s to %s cannot be read: %s. If files of the source table were removed (VACUUM)"
                  + " before they were read, keep them for longer than the time between two runs"
                  + " (delta.deletedFileRetentionDuration). To go on, feed an empty table under"
                  + " another name of pipeline and ledger; or, if what lies between may be missing,"
                  + " set start-snapshot of the table to a later version.")
              .formatted(
                  inputs.get(0).name(),
                  inputs.get(inputs.size() - 1).name(),
                  Objects.requireNonNullElse(root.getMessage(), root.getClass().getName())
                      .lines()
                      .findFirst()
                      .orElse("")),
          e);
    }
  }
}
