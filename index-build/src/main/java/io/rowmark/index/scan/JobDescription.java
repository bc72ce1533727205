package io.rowmark.index.scan;

import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** Says in Spark's UI what its jobs are for, until closed; then the former text is back. */
public final class JobDescription implements AutoCloseable {
  private static final String PROPERTY = "spark.job.description";

  private final SparkContext context;
  private final @Nullable String former;

  private JobDescription(SparkContext context, @Nullable String former) {
    this.context = context;
    this.former = former;
  }

  public static JobDescription set(SparkSession spark, String text) {
    SparkContext context = spark.sparkContext();
    JobDescription description = new JobDescription(context, context.getLocalProperty(PROPERTY));
    context.setJobDescription(text);
    return description;
  }

  @Override
  @SuppressWarnings("NullAway") // null removes a local property
  public void close() {
    context.setLocalProperty(PROPERTY, former);
  }
}
