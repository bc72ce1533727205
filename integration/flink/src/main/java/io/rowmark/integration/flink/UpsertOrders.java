package io.rowmark.integration.flink;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * Writes a stream of changes with Iceberg's Flink sink in upsert mode: {@code UpsertOrders CATALOG
 * DATABASE TABLE [BRANCH MILLIS]}, where the catalog is a warehouse in a file system or the address
 * of a REST catalog. One job, whose checkpoints each become a commit: first the orders 0 to 99, then
 * two updates of every even one in a row, then the deletion of every fifth.
 */
public final class UpsertOrders {
  /** How many changes each commit holds. */
  static final int CHANGES_IN_CHECKPOINT = 50;

  private static final int ORDERS = 100;
  private static final int UPDATES = ORDERS / 2 * 2;
  private static final int DELETES = ORDERS / 5;
  private static final LocalDateTime START = LocalDateTime.of(2026, 3, 1, 0, 0);

  private UpsertOrders() {}

  public static void main(String[] arguments) throws Exception {
    // A failure is to end the job and be told, not to start it again.
    Configuration settings =
        new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, settings);
    environment.enableCheckpointing(arguments.length > 4 ? Long.parseLong(arguments[4]) : 100);
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    tables.executeSql(
        arguments[0].startsWith("http:")
            ? "CREATE CATALOG lake WITH ('type'='iceberg', 'catalog-type'='rest', 'uri'='%s')"
                .formatted(arguments[0])
            : "CREATE CATALOG lake WITH ('type'='iceberg', 'catalog-type'='hadoop', 'warehouse'='%s')"
                .formatted(arguments[0]));
    String database = "lake.`%s`".formatted(arguments[1]);
    String table = database + ".`%s`".formatted(arguments[2]);
    tables.executeSql("CREATE DATABASE IF NOT EXISTS " + database);
    tables.executeSql(
        ("CREATE TABLE %s (id INT NOT NULL, note STRING, amount DECIMAL(12, 2),"
                + " updated_at TIMESTAMP(6), PRIMARY KEY (id) NOT ENFORCED)"
                + " WITH ('format-version'='2', 'write.upsert.enabled'='true')")
            .formatted(table));
    Table changes =
        tables.fromChangelogStream(
            changes(environment),
            Schema.newBuilder()
                .column("id", DataTypes.INT().notNull())
                .column("note", DataTypes.STRING())
                .column("amount", DataTypes.DECIMAL(12, 2))
                .column("updated_at", DataTypes.TIMESTAMP(6))
                .primaryKey("id")
                .build(),
            ChangelogMode.upsert());
    tables.createTemporaryView("changes", changes);
    String branch = arguments.length > 3 ? arguments[3] : "main";
    tables
        .executeSql(
            "INSERT INTO %s /*+ OPTIONS('branch'='%s') */ SELECT * FROM changes"
                .formatted(table, branch))
        .await();
  }

  private static DataStream<Row> changes(StreamExecutionEnvironment environment) {
    TypeInformation<Row> type =
        Types.ROW_NAMED(
            new String[] {"id", "note", "amount", "updated_at"},
            Types.INT,
            Types.STRING,
            Types.BIG_DEC,
            Types.LOCAL_DATE_TIME);
    DataGeneratorSource<Row> source =
        new DataGeneratorSource<>(
            number -> change(number.intValue()),
            ORDERS + UPDATES + DELETES,
            RateLimiterStrategy.perCheckpoint(CHANGES_IN_CHECKPOINT),
            type);
    return environment.fromSource(source, WatermarkStrategy.noWatermarks(), "changes", type);
  }

  private static Row change(int number) {
    if (number < ORDERS) {
      return row(RowKind.INSERT, number, "first " + number, 0);
    }
    if (number < ORDERS + UPDATES) {
      // Both updates of an order fall into one checkpoint: the sink hides the first by its position.
      int id = (number - ORDERS) / 2 * 2;
      int days = 1 + number % 2;
      return row(RowKind.UPDATE_AFTER, id, "updated " + id, days);
    }
    int id = 5 * (number - ORDERS - UPDATES);
    return row(RowKind.DELETE, id, "deleted " + id, 3);
  }

  private static Row row(RowKind kind, int id, String note, int days) {
    return Row.ofKind(
        kind, id, note, BigDecimal.valueOf(id * 101L, 2), START.plusMinutes(id).plusDays(days));
  }
}
