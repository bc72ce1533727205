package io.rowmark.integration.debezium;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import io.debezium.engine.spi.OffsetCommitPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;

/**
 * Captures the changes of a PostgreSQL database with Debezium's embedded engine and writes them into
 * a landing folder, one folder for each topic, as an object-store sink does: {@code WriteTopics
 * LANDING STATE HOST PORT DATABASE USER PREFIX TABLES}, where TABLES is Debezium's {@code
 * table.include.list} and STATE a folder for what a restart needs.
 *
 * <p>Runs until it gets SIGTERM; then everything received is in files, its offset is kept, and a
 * later start goes on from there.
 */
public final class WriteTopics {
  private WriteTopics() {}

  public static void main(String[] arguments) throws IOException {
    Landing landing = new Landing(Path.of(arguments[0]));
    Properties settings = settings(arguments);
    Throwable[] failure = new Throwable[1];
    DebeziumEngine<ChangeEvent<String, String>> engine =
        DebeziumEngine.create(Json.class)
            .using(settings)
            .using(OffsetCommitPolicy.always())
            .notifying(landing)
            .using((success, message, error) -> failure[0] = success ? null : named(message, error))
            .build();
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  landing.finish();
                  close(engine);
                  await(ended);
                }));
    Thread rhythm = new Thread(landing::flushInRhythm, "rhythm");
    rhythm.setDaemon(true);
    rhythm.start();
    engine.run();
    ended.countDown();
    if (failure[0] != null) {
      failure[0].printStackTrace();
      System.exit(1);
    }
  }

  private static Properties settings(String[] arguments) {
    Properties settings = new Properties();
    settings.setProperty("name", arguments[6]);
    settings.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    settings.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    settings.setProperty(
        "offset.storage.file.filename", Path.of(arguments[1], "offsets").toString());
    settings.setProperty("database.hostname", arguments[2]);
    settings.setProperty("database.port", arguments[3]);
    settings.setProperty("database.dbname", arguments[4]);
    settings.setProperty("database.user", arguments[5]);
    settings.setProperty("topic.prefix", arguments[6]);
    settings.setProperty("table.include.list", arguments[7]);
    settings.setProperty("plugin.name", "pgoutput");
    settings.setProperty("slot.name", "rowmark_live");
    settings.setProperty("publication.name", "rowmark_live");
    settings.setProperty("publication.autocreate.mode", "filtered");
    settings.setProperty("provide.transaction.metadata", "true");
    settings.setProperty("skipped.operations", "none");
    settings.setProperty("poll.interval.ms", "100");
    settings.setProperty("max.batch.size", "8192");
    settings.setProperty("max.queue.size", "16384");
    // With its schema each value says its exact type.
    settings.setProperty("converter.schemas.enable", "true");
    settings.setProperty("decimal.handling.mode", "precise");
    return settings;
  }

  private static Throwable named(String message, Throwable error) {
    return error == null ? new IllegalStateException(message) : error;
  }

  private static void close(DebeziumEngine<?> engine) {
    try {
      engine.close();
    } catch (IOException | IllegalStateException e) {
      // it has ended by itself
      e.printStackTrace();
    }
  }

  private static void await(CountDownLatch ended) {
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
