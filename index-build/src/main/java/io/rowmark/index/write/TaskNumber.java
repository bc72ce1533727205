package io.rowmark.index.write;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.FileDeleteWriter;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.spark.TaskContext;

/**
 * What makes the names of files differ that are written side by side for one operation.
 *
 * @param partition which part of the work
 * @param attempt which attempt at it
 */
public record TaskNumber(int partition, long attempt) {
  /** The number of the Spark task that this thread runs. */
  public static TaskNumber current() {
    TaskContext task = TaskContext.get();
    return new TaskNumber(task.partitionId(), task.taskAttemptId());
  }

  /**
   * A writer of deletes whose files bear this number.
   *
   * @param operationId part of every file name, unique for the attempt
   */
  public FileDeleteWriter deleteWriter(Table table, DeleteFormat format, String operationId) {
    OutputFileFactory outputs =
        OutputFileFactory.builderFor(table, partition, attempt)
            .operationId(operationId)
            .format(format == DeleteFormat.DELETION_VECTOR ? FileFormat.PUFFIN : FileFormat.PARQUET)
            .suffix("deletes")
            .build();
    return new FileDeleteWriter(table, format, outputs);
  }

  /** The number of a part of the work that the driver does itself, where nothing is tried again. */
  public static TaskNumber onDriver(int part) {
    return new TaskNumber(part, 0);
  }
}
