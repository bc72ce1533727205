package io.rowmark.integration.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Iceberg tables as sources of what their snapshots change. */
class TestSnapshotSources {
  @TempDir private static Path catalogFolder;
  private static EmbeddedCatalog embedded;
  private static int runs;

  @TempDir private Path folder;
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
    run =
        new SourceRun(folder, embedded.clientProperties(), "snapshots" + ++runs)
            .set("source.iceberg.changes = snapshots");
  }

  /** Ten rows in two files, numbered from 0. */
  private void makeSource(int formatVersion, String mode) {
    run.sql(
        """
        CREATE TABLE $s (id bigint, label string, weight decimal(10,2)) TBLPROPERTIES (
          'format-version' = '%d', 'write.delete.mode' = '%s', 'write.update.mode' = '%s',
          'write.merge.mode' = '%s')"""
            .formatted(formatVersion, mode, mode, mode));
    insert(0, 5);
    insert(5, 10);
  }

  private void insert(int from, int to) {
    run.sql(
        "INSERT INTO $s SELECT /*+ COALESCE(1) */ id, concat('label ', id), CAST(id AS DECIMAL(10,2)) FROM range(%d, %d)"
            .formatted(from, to));
  }

  @Tag("long")
  @ParameterizedTest(name = "format {0}, {1}")
  @CsvSource({"2, copy-on-write", "2, merge-on-read"})
  void sourcesOfTheOlderFormatAreFollowedToo(int formatVersion, String mode) throws IOException {
    theTargetFollowsItsSourceAndTakesWhatChangedAlone(formatVersion, mode);
  }

  @ParameterizedTest(name = "format {0}, {1}")
  @CsvSource("3, merge-on-read")
  void theTargetFollowsItsSourceAndTakesWhatChangedAlone(int formatVersion, String mode)
      throws IOException {
    makeSource(formatVersion, mode);
    assertThat(run.ingest()).containsEntry("inserts", 10L).containsEntry("input-files", 1L);
    run.targetIsAsItsSource();
    run.ingestNothing();

    run.sql("UPDATE $s SET label = 'changed' WHERE id IN (1, 6)");
    run.sql("DELETE FROM $s WHERE id = 2");
    insert(10, 12);
    assertThat(run.ingest())
        .containsEntry("input-files", 3L)
        .containsEntry("updates", 2L)
        .containsEntry("deletes", 1L)
        .containsEntry("inserts", 2L);
    run.targetIsAsItsSource();

    run.sql(
        """
        MERGE INTO $s AS s USING (SELECT id FROM range(4, 20, 5)) AS m ON s.id = m.id
        WHEN MATCHED AND m.id = 4 THEN DELETE
        WHEN MATCHED THEN UPDATE SET label = concat('merged ', m.id)
        WHEN NOT MATCHED THEN INSERT (id, label, weight) VALUES (m.id, 'new', 1)""");
    run.sql("UPDATE $s SET id = 100 WHERE id = 0");
    assertThat(run.ingest())
        .as("9 is merged; 14, 19 and 100 are new; 4 and 0 are gone")
        .containsEntry("updates", 1L)
        .containsEntry("deletes", 2L)
        .containsEntry("inserts", 3L);
    run.targetIsAsItsSource();
    run.ingestNothing();
  }

  @ParameterizedTest(name = "format {0}, {1}")
  @CsvSource({"2, copy-on-write", "3, merge-on-read"})
  void aCompactionIsNoChange(int formatVersion, String mode) throws IOException {
    makeSource(formatVersion, mode);
    run.ingest();
    run.call("rewrite_data_files", ", options => map('rewrite-all', 'true')");
    run.ingestNothing();

    run.sql("UPDATE $s SET label = 'changed' WHERE id = 3");
    run.call("rewrite_data_files", ", options => map('rewrite-all', 'true')");
    run.sql("DELETE FROM $s WHERE id = 4");

    assertThat(run.ingest()).containsEntry("updates", 1L).containsEntry("deletes", 1L);
    run.targetIsAsItsSource();
  }

  @Tag("long")
  @ParameterizedTest(name = "format {0}, {1}, seed {2}")
  @CsvSource({"2, copy-on-write, 1", "2, merge-on-read, 2", "3, merge-on-read, 3"})
  void whateverHappensToTheSourceTheTargetFollows(int formatVersion, String mode, long seed)
      throws IOException {
    Random random = new Random(seed);
    makeSource(formatVersion, mode);
    int next = 10;
    for (int round = 0; round < 8; round++) {
      StringBuilder done = new StringBuilder("seed " + seed + ", round " + round + ":");
      for (int step = random.nextInt(4); step >= 0; step--) {
        int id = random.nextInt(next);
        int kind = random.nextInt(formatVersion == 2 ? 7 : 6);
        done.append(' ').append(kind).append('/').append(id);
        switch (kind) {
          case 0 -> insert(next, next += 3);
          case 1 -> run.sql("DELETE FROM $s WHERE id %% 5 = %d".formatted(id % 5));
          case 2 -> run.sql("UPDATE $s SET label = '%d' WHERE id <= %d".formatted(round, id));
          case 3 -> run.call("rewrite_data_files", ", options => map('rewrite-all', 'true')");
          case 4 -> run.sql("UPDATE $s SET id = id + 1000 WHERE id = %d".formatted(id));
          case 5 -> {
            List<Row> history =
                run.sql("SELECT snapshot_id FROM $s.history ORDER BY made_current_at");
            run.call(
                "set_current_snapshot",
                ", %d".formatted(history.get(random.nextInt(history.size())).getLong(0)));
          }
          default -> IndexFixture.deleteEqual(run.load(run.source()), Map.of("id", (long) id));
        }
      }
      run.ingest();
      assertThat(run.load(run.source()).currentSnapshot()).as(done.toString()).isNotNull();
      run.targetIsAsItsSource();
    }
  }

  @Test
  void aRowThatIsDeletedAndInsertedAgainIsAnUpdate() throws IOException {
    makeSource(2, "merge-on-read");
    run.ingest();
    run.sql("DELETE FROM $s WHERE id = 1");
    run.sql("INSERT INTO $s VALUES (1, 'again', 1)");
    run.sql("INSERT OVERWRITE $s SELECT id, upper(label), weight FROM $s WHERE id < 8");

    assertThat(run.ingest()).containsEntry("updates", 8L).containsEntry("deletes", 2L);

    run.targetIsAsItsSource();
  }

  @Test
  void equalityDeletesOfTheSourceRemoveRows() throws IOException {
    makeSource(2, "merge-on-read");
    run.ingest();
    IndexFixture.deleteEqual(run.load(run.source()), Map.of("label", "label 3"));
    IndexFixture.deleteEqual(run.load(run.source()), Map.of("id", 7L));
    run.sql("DELETE FROM $s WHERE id = 8");

    assertThat(run.ingest()).containsEntry("deletes", 3L).containsEntry("events", 3L);

    run.targetIsAsItsSource();
  }

  @Test
  void aSourceThatWasRolledBackTakesItsTargetWithIt() throws IOException {
    makeSource(3, "merge-on-read");
    run.ingest();
    long before = run.head();
    run.sql("DELETE FROM $s WHERE id = 1");
    run.sql("UPDATE $s SET label = 'wrong' WHERE id = 2");
    insert(20, 22);
    run.ingest();
    long wrong = run.head();
    run.targetIsAsItsSource();

    run.call("rollback_to_snapshot", ", %d".formatted(before));
    run.ingest();
    run.targetIsAsItsSource();
    run.ingestNothing();

    run.call("set_current_snapshot", ", %d".formatted(wrong));
    run.ingest();
    run.targetIsAsItsSource();
    insert(30, 31);
    run.ingest();
    run.targetIsAsItsSource();
    assertThat(run.inputs().get(run.inputs().size() - 1))
        .isEqualTo("%s#%d@%d".formatted(run.source(), run.inputs().size(), run.head()));
  }

  @Test
  void whatExpiredBeforeItWasReadIsToldOf() throws IOException {
    makeSource(3, "merge-on-read");
    run.ingest();
    run.sql("DELETE FROM $s WHERE id = 1");
    run.sql("DELETE FROM $s WHERE id = 2");
    run.call("expire_snapshots", ", TIMESTAMP '2100-01-01', 1");

    run.ingestRefused("is not in the table's history any more", "feed an empty table");
  }

  @Test
  void removalsWhoseParentHasExpiredAreToldOf() throws IOException {
    makeSource(3, "merge-on-read");
    run.ingest();
    run.sql("DELETE FROM $s WHERE id = 1");
    run.call("expire_snapshots", ", TIMESTAMP '2100-01-01', 1");

    run.ingestRefused("removes rows, and its parent", "is expired", "feed an empty table");
  }

  @Test
  void aTableThatWasCopiedBeforeBeginsWhereTheCopyEnded() throws IOException {
    makeSource(2, "merge-on-read");
    run.sql("CREATE TABLE $t TBLPROPERTIES ('format-version' = '3') AS SELECT * FROM $s");
    run.set("tables.\"%s\".start-snapshot = %d".formatted(run.target(), run.head()));
    assertThat(run.ingest()).isEmpty();
    run.sql("DELETE FROM $s WHERE id = 1");

    assertThat(run.ingest()).containsEntry("events", 1L);

    run.targetIsAsItsSource();
  }

  @Test
  void columnsThatTheSourceGetsComeAlong() throws IOException {
    makeSource(2, "merge-on-read");
    run.ingest();
    run.sql("ALTER TABLE $s ADD COLUMN colour string");
    run.sql("UPDATE $s SET colour = 'red' WHERE id = 1");

    run.ingest();

    run.targetIsAsItsSource();
  }

  @Test
  void valuesOfAllTypesArriveAsTheyAre() throws IOException {
    Schema schema =
        new Schema(
            Types.NestedField.required(1, "id", Types.UUIDType.get()),
            Types.NestedField.optional(2, "flag", Types.BooleanType.get()),
            Types.NestedField.optional(3, "small", Types.IntegerType.get()),
            Types.NestedField.optional(4, "real", Types.FloatType.get()),
            Types.NestedField.optional(5, "wide", Types.DoubleType.get()),
            Types.NestedField.optional(6, "amount", Types.DecimalType.of(38, 10)),
            Types.NestedField.optional(7, "day", Types.DateType.get()),
            Types.NestedField.optional(8, "wall", Types.TimestampType.withoutZone()),
            Types.NestedField.optional(9, "instant", Types.TimestampType.withZone()),
            Types.NestedField.optional(10, "raw", Types.BinaryType.get()),
            Types.NestedField.optional(
                11, "items", Types.ListType.ofOptional(12, Types.LongType.get())),
            Types.NestedField.optional(
                13,
                "marks",
                Types.MapType.ofOptional(14, 15, Types.StringType.get(), Types.DateType.get())),
            Types.NestedField.optional(
                16,
                "place",
                Types.StructType.of(
                    Types.NestedField.optional(17, "x", Types.DecimalType.of(5, 2)),
                    Types.NestedField.optional(18, "at", Types.TimestampType.withZone()))));
    Table source =
        run.catalog()
            .iceberg()
            .createTable(run.source(), schema, null, Map.of("format-version", "2"));
    Map<String, Object> empty = new HashMap<>();
    schema.columns().forEach(column -> empty.put(column.name(), null));
    Map<String, Object> first = new HashMap<>(empty);
    first.put("id", UUID.fromString("00000000-0000-0000-ffff-ffffffffffff"));
    Map<String, Object> second = new HashMap<>();
    second.put("id", UUID.fromString("ffffffff-ffff-ffff-0000-000000000000"));
    second.put("flag", true);
    second.put("small", Integer.MIN_VALUE);
    second.put("real", -0.0f);
    second.put("wide", Double.NaN);
    second.put("amount", new BigDecimal("9999999999999999999999999999.9999999999"));
    second.put("day", LocalDate.of(1, 1, 1));
    second.put("wall", LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000));
    second.put("instant", OffsetDateTime.parse("1582-10-04T00:00:00.000001Z"));
    second.put("raw", ByteBuffer.wrap(new byte[] {0, -1, 1}));
    second.put("items", java.util.Arrays.asList(Long.MAX_VALUE, null));
    second.put("marks", Map.of("", LocalDate.of(2038, 1, 19)));
    GenericRecord place = GenericRecord.create(schema.findType("place").asStructType());
    place.setField("x", new BigDecimal("-999.99"));
    place.setField("at", OffsetDateTime.parse("2026-11-30T12:00:00Z"));
    second.put("place", place);
    source.newAppend().appendFile(IndexFixture.writeRows(source, List.of(first, second))).commit();

    run.ingest();
    run.sql("UPDATE $s SET small = 1 WHERE flag");
    run.ingest();

    assertThat(records(run.target())).containsExactlyInAnyOrderElementsOf(records(run.source()));
  }

  @Test
  void timesOfDayBecomeTextAsFromAnySource() throws IOException {
    Schema schema =
        new Schema(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "at", Types.TimeType.get()));
    Table source =
        run.catalog()
            .iceberg()
            .createTable(run.source(), schema, null, Map.of("format-version", "2"));
    IndexFixture.append(
        source, Map.of("id", 1L, "at", LocalTime.of(23, 59, 59, 999_999_000)), Map.of());

    run.ingest();

    assertThat(run.sql("SELECT at FROM $t").get(0).getString(0)).isEqualTo("23:59:59.999999");
  }

  private List<String> records(TableIdentifier name) throws IOException {
    List<String> columns =
        run.load(name).schema().columns().stream().map(Types.NestedField::name).toList();
    List<String> found = new ArrayList<>();
    try (CloseableIterable<Record> rows = IcebergGenerics.read(run.load(name)).build()) {
      for (Record row : rows) {
        // where there are deletes, the reader leaves columns of its own behind
        found.add(
            columns.stream().map(column -> String.valueOf(row.getField(column))).toList() + "");
      }
    }
    return found;
  }
}
