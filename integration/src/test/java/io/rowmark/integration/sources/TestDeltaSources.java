package io.rowmark.integration.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.delta.DeltaLog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Delta tables as sources, written by Delta's own writer. */
class TestDeltaSources {
  @TempDir private static Path catalogFolder;
  private static EmbeddedCatalog embedded;
  private static int runs;

  @TempDir private Path folder;
  private Path source;
  private SourceRun run;

  @BeforeAll
  static void startCatalog() {
    LocalSpark.session();
    embedded = EmbeddedCatalog.start(catalogFolder, 0);
  }

  @AfterAll
  static void stopCatalog() {
    embedded.close();
  }

  @BeforeEach
  void start() {
    String namespace = "delta" + ++runs;
    // a path that has to be quoted and encoded
    source = folder.resolve("core of " + namespace).resolve("parcels");
    run = SourceRun.ofDelta(folder, embedded.clientProperties(), namespace, source);
  }

  /** Versions in the ledger, in the order of their numbers, each with its number. */
  private List<String> versions() {
    return run.inputs().stream()
        .map(input -> input.substring(source.toString().length()))
        .sorted(Comparator.comparing(TestDeltaSources::number))
        .toList();
  }

  private static int number(String version) {
    return Integer.parseInt(version.substring(1, version.indexOf('@')));
  }

  /** Newest version. */
  private long head() {
    return run.sql("DESCRIBE HISTORY $s LIMIT 1").get(0).getLong(0);
  }

  /** Ten rows in two files of two partitions, numbered from 0. */
  private void makeSource(String... properties) {
    makeMappedSource("none", properties);
  }

  private void makeMappedSource(String mapping, String... properties) {
    run.sql(
        "CREATE TABLE $s (id BIGINT, label STRING, weight DECIMAL(10,2), zone STRING) USING delta PARTITIONED BY (zone) TBLPROPERTIES ('delta.columnMapping.mode' = '%s'%s)"
            .formatted(
                mapping, String.join("", Stream.of(properties).map(one -> ", " + one).toList())));
    insert(0, 10);
  }

  private static final String VECTORS = "'delta.enableDeletionVectors' = 'true'";
  private static final String FEED = "'delta.enableChangeDataFeed' = 'true'";

  private void insert(int from, int to) {
    run.sql(
        "INSERT INTO $s SELECT /*+ COALESCE(1) */ id, concat('label ', id), CAST(id AS DECIMAL(10,2)), concat('zone %%/', id %% 2) FROM range(%d, %d)"
            .formatted(from, to));
  }

  @ParameterizedTest(name = "vectors {0}, feed {1}")
  @CsvSource("true, true")
  void theTargetFollowsItsSourceAndTakesWhatChangedAlone(boolean vectors, boolean feed)
      throws IOException {
    follow(vectors, feed);
  }

  @Tag("long")
  @ParameterizedTest(name = "vectors {0}, feed {1}")
  @CsvSource({"true, false", "false, true", "false, false"})
  void theTargetFollowsOtherKindsOfSources(boolean vectors, boolean feed) throws IOException {
    follow(vectors, feed);
  }

  private void follow(boolean vectors, boolean feed) throws IOException {
    makeSource(
        "'delta.enableDeletionVectors' = '" + vectors + "'",
        "'delta.enableChangeDataFeed' = '" + feed + "'");
    assertThat(run.ingestUnchecked())
        .containsEntry("inserts", 10L)
        .containsEntry("input-files", 1L);
    run.targetHasTheRowsOfItsSource("at first");

    run.sql("UPDATE $s SET label = 'changed' WHERE id IN (1, 6)");
    run.sql("DELETE FROM $s WHERE id = 2");
    insert(10, 12);
    run.sql("OPTIMIZE $s");
    run.sql(
        """
        MERGE INTO $s AS s USING (SELECT id FROM range(4, 20, 5)) AS m ON s.id = m.id
        WHEN MATCHED AND m.id = 4 THEN DELETE
        WHEN MATCHED THEN UPDATE SET label = concat('merged ', m.id)
        WHEN NOT MATCHED THEN INSERT (id, label, weight, zone) VALUES (m.id, 'new', 1, 'none')""");
    run.sql("UPDATE $s SET id = 100, zone = null WHERE id = 0");
    assertThat(run.ingestUnchecked())
        .as("1, 6, 9 are updated; 10, 11, 14, 19 and 100 are new; 2, 4 and 0 are gone")
        .containsEntry("input-files", 5L)
        .containsEntry("updates", 3L)
        .containsEntry("deletes", 3L)
        .containsEntry("inserts", 5L);
    run.targetHasTheRowsOfItsSource("after changes");
    run.indexIsRight();
    assertThat(versions()).containsExactly("#1@1", "#2@2", "#3@3", "#4@4", "#5@6", "#6@7");

    run.sql("OPTIMIZE $s");
    run.sql("ALTER TABLE $s SET TBLPROPERTIES ('some.note' = 'x')");
    run.ingestNothing();
  }

  @Tag("long")
  @ParameterizedTest(name = "columns mapped by {0}, feed {1}")
  @CsvSource({"id, true", "id, false", "name, false"})
  void mappedColumnsAreRead(String mapping, boolean feed) throws IOException {
    makeMappedSource(mapping, VECTORS, "'delta.enableChangeDataFeed' = '" + feed + "'");
    assertThat(run.ingestUnchecked()).containsEntry("inserts", 10L);
    run.targetHasTheRowsOfItsSource("at first");

    run.sql("UPDATE $s SET label = 'changed' WHERE id IN (1, 6)");
    run.sql("DELETE FROM $s WHERE id = 2");
    run.sql("ALTER TABLE $s ADD COLUMN note STRING");
    run.sql("UPDATE $s SET note = 'new' WHERE id = 3");
    assertThat(run.ingestUnchecked()).containsEntry("deletes", 1L).containsEntry("updates", 3L);
    run.targetHasTheRowsOfItsSource("after changes of mapped columns");
  }

  @Test
  void theFeedMayBeSwitchedOnMidwayAndColumnsRenamedAndAdded() throws IOException {
    makeSource(VECTORS);
    run.sql("DELETE FROM $s WHERE id = 1");
    run.ingestUnchecked();
    run.sql("DELETE FROM $s WHERE id = 2");
    run.sql("ALTER TABLE $s SET TBLPROPERTIES (%s)".formatted(FEED));
    run.sql("DELETE FROM $s WHERE id = 3");
    run.sql("ALTER TABLE $s ADD COLUMN colour STRING");
    run.sql("UPDATE $s SET colour = 'red' WHERE id = 4");
    run.sql("ALTER TABLE $s SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')");
    run.sql("UPDATE $s SET label = 'before' WHERE id = 5");
    run.sql("ALTER TABLE $s RENAME COLUMN label TO title");
    run.sql("DELETE FROM $s WHERE id = 6");

    assertThat(run.ingestUnchecked())
        .as("up to the version that renames the column")
        .containsEntry("deletes", 2L)
        .containsEntry("updates", 2L);
    run.ingestRefused(
        "has columns [title] in place of [label]", "RENAME COLUMN", run.target().toString());
    run.sql("ALTER TABLE $t RENAME COLUMN label TO title");
    assertThat(run.ingestUnchecked()).containsEntry("deletes", 1L).containsEntry("input-files", 1L);

    run.targetHasTheRowsOfItsSource("after the column was renamed");
    run.indexIsRight();
  }

  @Test
  void aBatchTakesAsManyVersionsAsItMay() throws IOException {
    makeSource(VECTORS);
    run.ingestUnchecked();
    run.sql("UPDATE $s SET label = 'one' WHERE id = 1");
    run.sql("OPTIMIZE $s");
    run.sql("UPDATE $s SET label = 'two' WHERE id = 1");
    run.set("batch.max-files = 1");

    run.ingestUnchecked();
    assertThat(run.sql("SELECT label FROM $t WHERE id = 1").get(0).getString(0)).isEqualTo("one");

    run.ingestUnchecked();
    run.targetHasTheRowsOfItsSource("after both");
    run.ingestNothing();
  }

  @Tag("long")
  @ParameterizedTest(name = "feed {0}")
  @CsvSource({"true", "false"})
  void aSourceThatWasRestoredOrReplacedTakesItsTargetWithIt(boolean feed) throws IOException {
    makeSource(VECTORS, "'delta.enableChangeDataFeed' = '" + feed + "'");
    run.sql("DELETE FROM $s WHERE id = 1");
    run.ingestUnchecked();
    run.sql("RESTORE TABLE $s TO VERSION AS OF 1");
    run.sql("DELETE FROM $s WHERE id = 3");
    run.sql("UPDATE $s SET label = 'wrong' WHERE id = 5");
    run.ingestUnchecked();
    run.targetHasTheRowsOfItsSource("restored and changed");

    run.sql("RESTORE TABLE $s TO VERSION AS OF 2");
    run.ingestUnchecked();
    run.targetHasTheRowsOfItsSource("restored to the same number of rows");

    LocalSpark.session()
        .sql(
            "SELECT id, upper(label) AS label, 'all' AS colour FROM delta.`%s` WHERE id > 4"
                .formatted(source))
        .localCheckpoint()
        .write()
        .format("delta")
        .mode("overwrite")
        .option("overwriteSchema", true)
        .save(source.toString());
    run.ingestUnchecked();
    run.targetHasTheRowsOfItsSource("replaced");
    run.indexIsRight();
    run.ingestNothing();
  }

  @Tag("long")
  @Test
  void versionsThatAreGoneAreToldOf() throws IOException {
    makeSource(VECTORS, "'delta.checkpointInterval' = '4'");
    run.ingestUnchecked();
    for (int id = 0; id < 5; id++) {
      run.sql("DELETE FROM $s WHERE id = %d".formatted(id));
    }
    removeLog(4);

    run.ingestRefused(
        "does not tell any more what its versions 2 to 3 changed",
        "delta.logRetentionDuration",
        "set start-snapshot of table " + run.target() + " to a version from 3 on");

    run.set("tables.\"%s\".start-snapshot = 4".formatted(run.target()));
    assertThat(run.ingestUnchecked()).containsEntry("deletes", 2L);
    assertThat(run.sql("SELECT id FROM $t ORDER BY id"))
        .as("what is gone is missing: 0, 1 and 2 stay")
        .hasSize(8);
  }

  /** As the cleaning of the log does it after a checkpoint. */
  private void removeLog(int below) throws IOException {
    Path log = source.resolve("_delta_log");
    try (Stream<Path> files = Files.list(log)) {
      for (Path file : files.toList()) {
        String number = file.getFileName().toString().replaceFirst("\\..*", "");
        if (number.matches("\\d{20}") && Long.parseLong(number) < below) {
          Files.delete(file);
        }
      }
    }
    try (Stream<Path> files = Files.list(log)) {
      for (Path crc : files.filter(file -> file.toString().endsWith(".crc")).toList()) {
        Files.delete(crc);
      }
    }
    DeltaLog.clearCache();
  }

  @Test
  void filesThatAreGoneAreToldOf() throws IOException {
    makeSource(FEED);
    run.ingestUnchecked();
    run.sql("UPDATE $s SET label = 'changed' WHERE id < 5");
    run.sql("INSERT OVERWRITE $s SELECT * FROM VALUES (1L, 'x', 1.0, 'y')");
    LocalSpark.session()
        .conf()
        .set("spark.databricks.delta.retentionDurationCheck.enabled", "false");
    run.sql("VACUUM $s RETAIN 0 HOURS");

    run.ingestRefused("cannot be read", "VACUUM", "delta.deletedFileRetentionDuration");
  }

  @Test
  void aTableThatWasMadeAgainIsRefused() throws IOException {
    makeSource();
    insert(10, 12);
    run.ingestUnchecked();
    removeSource();
    makeSource();

    run.ingestRefused("is not the one that table " + run.target() + " was fed from");

    insert(10, 12);
    insert(20, 22);
    run.ingestRefused(
        "is not the one that table " + run.target() + " was fed from", "it was made at");
  }

  private void removeSource() throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    DeltaLog.clearCache();
  }

  @Test
  void aPathWithoutTableIsNamed() throws IOException {
    run.set("tables.\"%s\".topic = \"%s/nowhere\"".formatted(run.target(), folder));

    assertThat(run.run("ingest")).isEqualTo(4);

    assertThat(run.said()).contains("There is no Delta table " + folder + "/nowhere", "Correct");
  }

  @Test
  void valuesOfAllTypesArriveAsTheyAre() throws IOException {
    run.sql(
        """
        CREATE TABLE $s (id STRING, flag BOOLEAN, tiny TINYINT, small SMALLINT, whole INT, real FLOAT,
          wide DOUBLE, amount DECIMAL(38,10), day DATE, wall TIMESTAMP_NTZ, instant TIMESTAMP,
          raw BINARY, items ARRAY<BIGINT>, marks MAP<STRING, DATE>,
          place STRUCT<x: DECIMAL(5,2), at: TIMESTAMP>, short VARCHAR(5)) USING delta
        TBLPROPERTIES (%s)"""
            .formatted(FEED));
    run.sql(
        """
        INSERT INTO $s VALUES
          ('', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
          ('é', true, -128, 32767, -2147483648, CAST('-0.0' AS FLOAT), CAST('NaN' AS DOUBLE),
           9999999999999999999999999999.9999999999, DATE'0001-01-01',
           TIMESTAMP_NTZ'1969-12-31 23:59:59.999999', TIMESTAMP'1582-10-04 00:00:00.000001Z',
           X'00FF01', array(9223372036854775807, null), map('', DATE'2038-01-19'),
           named_struct('x', -999.99BD, 'at', TIMESTAMP'2026-11-30 12:00:00Z'), 'abcde')""");
    run.ingestUnchecked();
    run.sql("UPDATE $s SET whole = 1 WHERE flag");
    run.ingestUnchecked();

    assertThat(texts("$t")).isEqualTo(texts("$s"));
  }

  private List<String> texts(String table) {
    return run
        .sql("SELECT to_json(struct(*)), hex(raw), real FROM %s ORDER BY id".formatted(table))
        .stream()
        .map(Object::toString)
        .toList();
  }

  @Tag("long")
  @Test
  void whateverHappensToTheSourceTheTargetFollowsForAWhile() throws IOException {
    history(1, true, 2);
  }

  @Tag("long")
  @ParameterizedTest(name = "seed {0}, vectors {1}")
  @CsvSource({"11, true", "12, false", "13, true", "14, true"})
  void whateverHappensToTheSourceTheTargetFollows(long seed, boolean vectors) throws IOException {
    history(seed, vectors, 8);
  }

  private void history(long seed, boolean vectors, int rounds) throws IOException {
    Random random = new Random(seed);
    makeSource("'delta.enableDeletionVectors' = '" + vectors + "'");
    int next = 10;
    for (int round = 0; round < rounds; round++) {
      StringBuilder done = new StringBuilder("seed " + seed + ", round " + round + ":");
      for (int step = random.nextInt(4); step >= 0; step--) {
        int id = random.nextInt(next);
        int kind = random.nextInt(8);
        done.append(' ').append(kind).append('/').append(id);
        switch (kind) {
          case 0 -> insert(next, next += 3);
          case 1 -> run.sql("DELETE FROM $s WHERE id %% 5 = %d".formatted(id % 5));
          case 2 -> run.sql("UPDATE $s SET label = '%d' WHERE id <= %d".formatted(round, id));
          case 3 -> run.sql("OPTIMIZE $s");
          case 4 -> run.sql("UPDATE $s SET id = %d WHERE id = %d".formatted(1000 + next++, id));
          case 5 ->
              run.sql(
                  "RESTORE TABLE $s TO VERSION AS OF %d"
                      .formatted(1 + random.nextInt((int) head())));
          case 6 ->
              run.sql(
                  "ALTER TABLE $s SET TBLPROPERTIES ('delta.enableChangeDataFeed' = '%s')"
                      .formatted(random.nextBoolean()));
          default ->
              run.sql(
                  """
                  MERGE INTO $s AS s USING (SELECT id FROM range(%d, %d, 3)) AS m ON s.id = m.id
                  WHEN MATCHED AND m.id %% 2 = 0 THEN DELETE
                  WHEN MATCHED THEN UPDATE SET weight = weight + 1
                  WHEN NOT MATCHED THEN INSERT (id, label, zone) VALUES (m.id, 'new', 'z')"""
                      .formatted(id, id + 10));
        }
      }
      run.ingestUnchecked();
      run.targetHasTheRowsOfItsSource(done.toString());
    }
    List<String> versions =
        versions().stream().map(input -> input.substring(input.indexOf('@'))).toList();
    assertThat(versions).as("each version once; seed " + seed).doesNotHaveDuplicates();
    run.indexIsRight();
  }
}
