package io.rowmark.merge.source;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.source.DeltaVersion.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A Delta table as Delta's own reader for Spark shows it, which applies deletion vectors, column
 * mapping, partition values and checkpoints. The reader is named and not linked, so that the one of
 * the runtime is used, whatever its version.
 */
final class DeltaTable {
  private static final String FORMAT = "delta";
  private static final String EXTENSION = "io.delta.sql.DeltaSparkSessionExtension";
  private static final String CATALOG = "org.apache.spark.sql.delta.catalog.DeltaCatalog";

  /**
   * Under which columns a feed shows a table with column mapping: by default those of today, and no
   * feed from before a column was renamed.
   */
  private static final String FEED_COLUMNS =
      "spark.databricks.delta.changeDataFeed.defaultSchemaModeForColumnMappingTable";

  /** Refusals of a feed that say no more than that versions must be read another way. */
  private static final Set<String> NO_FEED =
      Set.of(
          "DELTA_MISSING_CHANGE_DATA",
          "DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_DATA_SCHEMA",
          "DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE");

  /** Versions that the log or its retention lets nobody make up any more. */
  private static final Set<String> GONE =
      Set.of(
          "DELTA_VERSION_NOT_FOUND",
          "DELTA_VERSIONS_NOT_CONTIGUOUS",
          "DELTA_TRUNCATED_TRANSACTION_LOG",
          "DELTA_LOG_FILE_NOT_FOUND",
          "DELTA_FILE_NOT_FOUND",
          "DELTA_UNSUPPORTED_TIME_TRAVEL_BEYOND_DELETED_FILE_RETENTION_DURATION");

  private static final Set<String> NO_TABLE =
      Set.of(
          "DELTA_PATH_DOES_NOT_EXIST",
          "DELTA_TABLE_NOT_FOUND",
          "DELTA_MISSING_DELTA_TABLE",
          "DELTA_NOT_A_DELTA_TABLE",
          "DELTA_ONLY_OPERATION",
          "DELTA_TABLE_ONLY_OPERATION",
          "PATH_NOT_FOUND",
          "SCHEMA_NOT_FOUND",
          "TABLE_OR_VIEW_NOT_FOUND");

  private final SparkSession spark;
  private final String name;

  private DeltaTable(SparkSession spark, String name) {
    this.spark = spark;
    this.name = name;
  }

  /**
   * @param topic path of the table, or its name
   * @throws RowmarkException CONFIG when the session cannot read Delta tables, or would leave files
   *     out that are missing
   */
  static DeltaTable of(SparkSession spark, String topic) {
    for (String setting :
        List.of("spark.sql.files.ignoreMissingFiles", "spark.sql.files.ignoreCorruptFiles")) {
      if (Boolean.parseBoolean(spark.conf().get(setting, "false"))) {
        throw RowmarkException.config(
            "This Spark session has %s = true, with which rows of source tables get lost unseen. Set it to false."
                .formatted(setting));
      }
    }
    return new DeltaTable(spark, topic.replaceFirst("(?<=[^/:])/+$", ""));
  }

  /** Path without a slash at its end, or name. */
  String name() {
    return name;
  }

  private boolean isPath() {
    return name.contains("/");
  }

  /** When the table was made; null where its writer does not say. */
  @Nullable Instant createdAt() {
    Row row = detail("unix_micros(createdAt)");
    return row.isNullAt(0) ? null : micros(row.getLong(0));
  }

  /** Whether any version may have deletion vectors. */
  boolean mayHaveDeletionVectors() {
    Row row = detail("tableFeatures");
    if (row.isNullAt(0)) {
      return true;
    }
    List<String> features = row.getList(0);
    // the second one is left of a feature that was taken back
    return features.contains("deletionVectors") || features.contains("checkpointProtection");
  }

  private Row detail(String column) {
    return asked(() -> sql("DESCRIBE DETAIL %s").selectExpr(column).collectAsList().get(0));
  }

  /**
   * The newest versions that the table's log still tells of, oldest first.
   *
   * @param most how many at the most, at least 1
   */
  List<DeltaVersion> newest(long most) {
    int limit = (int) Math.min(Integer.MAX_VALUE, most);
    List<Row> rows =
        asked(
            () ->
                sql("DESCRIBE HISTORY %s LIMIT " + limit)
                    .selectExpr(
                        "version",
                        "unix_micros(timestamp)",
                        "operation",
                        "operationMetrics",
                        "lower(coalesce(operationParameters['mode'], operationParameters['outputMode'])) = 'append'")
                    .orderBy("version")
                    .collectAsList());
    List<DeltaVersion> versions = new ArrayList<>();
    for (Row row : rows) {
      Map<String, String> metrics = new HashMap<>();
      if (!row.isNullAt(3)) {
        row.<String, String>getJavaMap(3)
            .forEach((key, value) -> metrics.put(key, Objects.requireNonNullElse(value, "")));
      }
      versions.add(
          new DeltaVersion(
              row.getLong(0),
              micros(row.getLong(1)),
              row.getString(2),
              !row.isNullAt(4) && row.getBoolean(4) ? Files.ADDED : Files.ANY,
              metrics));
    }
    return versions;
  }

  private static Instant micros(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  private Dataset<Row> sql(String text) {
    return spark.sql(text.formatted(isPath() ? "delta.`" + name.replace("`", "``") + "`" : name));
  }

  /** All rows at a version, with the columns of then. */
  Dataset<Row> at(long version) {
    return asked(() -> load(reader().option("versionAsOf", version)));
  }

  /**
   * The change feed of some versions, with the columns of the last one where columns are mapped,
   * else those of today.
   */
  Dataset<Row> feed(long from, long to) {
    Optional<String> before = Optional.ofNullable(spark.conf().get(FEED_COLUMNS, null));
    spark.conf().set(FEED_COLUMNS, "endVersion");
    try {
      return load(
          reader()
              .option("readChangeFeed", true)
              .option("startingVersion", from)
              .option("endingVersion", to));
    } finally {
      before.ifPresentOrElse(
          value -> spark.conf().set(FEED_COLUMNS, value), () -> spark.conf().unset(FEED_COLUMNS));
    }
  }

  private DataFrameReader reader() {
    return spark.read().format(FORMAT);
  }

  private Dataset<Row> load(DataFrameReader reader) {
    return isPath() ? reader.load(name) : reader.table(name);
  }

  /** The columns at a version; empty when it cannot be made up any more. */
  Optional<StructType> schema(long version) {
    try {
      return Optional.of(load(reader().option("versionAsOf", version)).schema());
    } catch (Exception e) {
      if (GONE.contains(condition(e))) {
        return Optional.empty();
      }
      throw refusal(e);
    }
  }

  /** Whether the change feed tells of versions, all under one set of columns. */
  boolean feeds(long from, long to) {
    try {
      // planning it lists its files, and there Delta refuses what it cannot tell
      feed(from, to).queryExecution().executedPlan();
      return true;
    } catch (Exception e) {
      if (NO_FEED.contains(condition(e))) {
        return false;
      }
      throw refusal(e);
    }
  }

  /** What Delta answers; its refusals become ones that say what to do. */
  private <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (RowmarkException e) {
      throw e;
    } catch (Exception e) { // Spark throws checked exceptions through methods that declare none
      throw refusal(e);
    }
  }

  private RowmarkException refusal(Exception e) {
    String condition = condition(e);
    String message = Objects.requireNonNullElse(e.getMessage(), "");
    // Spark itself takes Delta's statements for a description of a table named HISTORY or DETAIL
    boolean unknownStatement =
        condition.equals("PARSE_SYNTAX_ERROR")
            || message.contains("`HISTORY`")
            || message.contains("`DETAIL`");
    if (unknownStatement
        || condition.equals("DATA_SOURCE_NOT_FOUND")
        || condition.equals("DELTA_CONFIGURE_SPARK_SESSION_WITH_EXTENSION_AND_CATALOG")) {
      return RowmarkException.config(
          ("This Spark session cannot read Delta tables, as %s. Start it with Delta Lake on its class"
                  + " path (--packages io.delta:delta-spark_4.1_2.13:4.4.0, or the build for its"
                  + " Spark), with spark.sql.extensions that hold %s, and with"
                  + " spark.sql.catalog.spark_catalog = %s.")
              .formatted(name, EXTENSION, CATALOG));
    }
    if (NO_TABLE.contains(condition)) {
      return RowmarkException.source(
          "There is no Delta table %s. Correct the topic: it is the path of the source table, or the name under which Spark knows it."
              .formatted(name),
          e);
    }
    return RowmarkException.source(
        "Delta table %s cannot be read: %s"
            .formatted(name, message.lines().findFirst().orElse("no message")),
        e);
  }

  /** The condition of Delta's that an error carries, as {@code DELTA_MISSING_CHANGE_DATA}. */
  static String condition(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkThrowable known && known.getCondition() != null) {
        return known.getCondition();
      }
    }
    return "";
  }
}
