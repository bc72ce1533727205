package io.rowmark.index.write;

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

  /** The number of a part of the work that the driver does itself, where nothing is tried again. */
  public static TaskNumber onDriver(int part) {
    return new TaskNumber(part, 0);
  }
}
