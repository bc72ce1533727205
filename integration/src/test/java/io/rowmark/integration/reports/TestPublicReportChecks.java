package io.rowmark.integration.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.integration.engine.PythonEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What else the public reports want checked. */
class TestPublicReportChecks {
  private static final String SHUFFLE = "spark.sql.shuffle.partitions";

  @TempDir private static Path catalogFolder;
  private static EmbeddedCatalog embedded;
  private static int runs;

  @TempDir private Path folder;

  @BeforeAll
  static void startCatalog() {
    LocalSpark.session();
    embedded = EmbeddedCatalog.start(catalogFolder, 0);
  }

  @AfterAll
  static void stopCatalog() {
    embedded.close();
  }

  private CaseRun prepared(ReportedCase reported, int formatVersion) throws IOException {
    Path own = Files.createDirectory(folder.resolve("run" + ++runs));
    return new CaseRun(reported, formatVersion, own, embedded.clientProperties(), "check" + runs)
        .prepare();
  }

  private static void batches(CaseRun run, ReportedCase reported, int from, int to)
      throws IOException {
    for (JsonNode batch : reported.batches().subList(from - 1, to)) {
      run.land(batch);
      run.ingest();
    }
  }

  private static List<Row> sql(CaseRun run, String text) {
    return LocalSpark.session().sql(text.replace("$t", run.sparkTable())).collectAsList();
  }

  @ParameterizedTest(name = "{0} shuffle partitions")
  @ValueSource(ints = {1, 64})
  void tiesFallToArrivalWhateverTheShuffle(int width) throws IOException {
    ReportedCase reported = ReportedCase.named("BC-02");
    String before = LocalSpark.session().conf().get(SHUFFLE);
    LocalSpark.session().conf().set(SHUFFLE, Integer.toString(width));
    try {
      CaseRun run = prepared(reported, 3);
      batches(run, reported, 1, 2);

      assertThat(run.rows()).containsExactly("7 | 'sent'");
    } finally {
      LocalSpark.session().conf().set(SHUFFLE, before);
    }
  }

  @Test
  void ofTiesInTwoFilesTheLaterFileNameWins() throws IOException {
    ReportedCase reported = ReportedCase.named("BC-02");
    CaseRun run = prepared(reported, 3);
    batches(run, reported, 1, 1);
    for (JsonNode row : ReportedCase.items(reported.batches().get(1).get("rows"))) {
      run.land(List.of(row.toString()));
    }

    run.ingest();

    assertThat(run.rows()).containsExactly("7 | 'sent'");
  }

  @Test
  void firstLoadOfParquetAndRebuiltIndexSpellKeysAsTextDoes() throws IOException {
    ReportedCase reported = ReportedCase.named("BC-07");
    CaseRun run = prepared(reported, 3).set("source.format = parquet");
    SparkSession spark = LocalSpark.session();
    spark
        .sql(
            """
            SELECT 'I' AS _op, 1L AS _ord, 'acc-1' AS account,
              TIMESTAMP_NTZ'2022-10-12 18:30:03.000000' AS at, 10 AS amount
            UNION ALL SELECT 'I', 2L, 'acc-1', TIMESTAMP_NTZ'2022-10-12 18:30:03.000001', 11
            """)
        .coalesce(1)
        .write()
        .parquet(run.landing().resolve("first").toString());
    run.ingest();
    run.set("source.format = json");
    batches(run, reported, 2, 2);
    assertThat(run.rows()).containsExactlyInAnyOrderElementsOf(reported.rows());

    run.buildIndexAgain();
    run.land(
        List.of(
            """
            {"_op":"U","_ord":5,"account":"acc-1","at":"2022-10-12T18:30:03","amount":30}""",
            """
            {"_op":"D","_ord":6,"account":"acc-1","at":"2022-10-12 18:30:03.000001"}"""));
    run.ingest();

    assertThat(run.rows()).containsExactly("'acc-1' | 2022-10-12T18:30:03 | 30");
  }

  @ParameterizedTest
  @CsvSource({"BC-14, type-overflow, 3349714808", "BC-18, bad-decimal, abc"})
  void rejectsMayBeSetAsideAndTheRestGoesIn(String id, String code, String value)
      throws IOException {
    ReportedCase reported = ReportedCase.named(id);
    CaseRun run = prepared(reported, 3).set("rejects { max-records = 1, keep-raw = true }");
    run.set("table-defaults.schema-policy = ignore");
    batches(run, reported, 1, 2);

    assertThat(run.rows())
        .containsExactlyInAnyOrderElementsOf(
            id.equals("BC-14") ? List.of("1 | 6") : List.of("1 | 30", "2 | 41"));
    String letter = letters(run).get(0);
    assertThat(letter).contains(code);
    String raw = letter.replaceFirst(".*\"raw_base64\":\"([^\"]+)\".*", "$1");
    assertThat(new String(Base64.getDecoder().decode(raw), StandardCharsets.UTF_8)).contains(value);
  }

  private static List<String> letters(CaseRun run) throws IOException {
    try (Stream<Path> files = Files.walk(run.rejects())) {
      List<String> lines = new ArrayList<>();
      for (Path file : files.filter(path -> path.toString().endsWith(".jsonl")).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
      return lines;
    }
  }

  @Test
  void noOtherTextBecomesANumberEither() throws IOException {
    ReportedCase reported = ReportedCase.named("BC-18");
    CaseRun run = prepared(reported, 3).set("rejects.max-records = 10");
    batches(run, reported, 1, 1);
    run.land(
        Stream.of("\"true\"", "true", "12.7", "\"12.7\"", "\"\"", "\" 7\"", "1e99", "[7]")
            .map("{\"_op\":\"U\",\"_ord\":2,\"id\":1,\"age\":%s}"::formatted)
            .toList());

    run.ingest();

    assertThat(run.rows()).containsExactly("1 | 30");
    assertThat(letters(run)).hasSize(8);
  }

  @Test
  void aColumnThatMayEvolveGrowsAndHoldsTheValueExactly() throws IOException {
    ReportedCase reported = ReportedCase.named("BC-14");
    CaseRun run = prepared(reported, 3);

    batches(run, reported, 1, 2);

    assertThat(run.rows()).containsExactlyInAnyOrder("1 | 6", "2 | 3349714808");
    assertThat(run.live().schema().findType("views")).isEqualTo(Types.LongType.get());
  }

  @Test
  void aKeyMayBeChangedByBuildingTheIndexForIt() throws IOException {
    ReportedCase reported = ReportedCase.named("BC-61");
    CaseRun run = prepared(reported, 3);
    batches(run, reported, 1, 1);
    run.land(reported.batches().get(1));
    run.ingestRefused(List.of("fed by the key [id]", "says [id, region]", "rowmark index build"));

    assertThat(run.run("index", "build", "--table", run.table().toString()))
        .as(run.said())
        .isZero();
    run.ingest();

    assertThat(run.rows()).containsExactlyInAnyOrder("1 | 'eu' | 'a2'", "2 | 'us' | 'b'");
  }

  @Test
  void timesBefore1970AreInTheirOwnDays() throws IOException {
    ReportedCase reported = ReportedCase.named("BC-17");
    CaseRun run = prepared(reported, 3);
    batches(run, reported, 1, 2);

    assertThat(sql(run, "SELECT DISTINCT CAST(partition.ts_day AS STRING) FROM $t.files"))
        .extracting(row -> row.getString(0))
        .containsExactlyInAnyOrder("1969-12-31", "1970-01-01", "0001-01-01");
    assertThat(sql(run, "SELECT id FROM $t WHERE ts < TIMESTAMP_NTZ'1970-01-01' ORDER BY id"))
        .extracting(row -> row.getLong(0))
        .containsExactly(1L, 4L);
  }

  @Test
  void aDeleteCountsByItsKeyWhateverItsOtherValues() throws IOException {
    ReportedCase reported = ReportedCase.named("BC-20");
    CaseRun run = prepared(reported, 3);
    batches(run, reported, 1, 1);
    run.land(
        List.of(
            "{\"_op\":\"D\",\"_ord\":3,\"id\":1,\"created\":null,\"v\":null}",
            "{\"_op\":\"D\",\"_ord\":4,\"id\":2,\"created\":\"1999-01-01T00:00:00\",\"v\":\"x\"}"));

    run.ingest();

    assertThat(run.rows()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void deletesAloneMakeASnapshotAndUnknownKeysNone(int formatVersion) throws IOException {
    ReportedCase reported = ReportedCase.named("BC-21");
    CaseRun run = prepared(reported, formatVersion);
    List<Integer> snapshots = new ArrayList<>();
    for (int batch = 1; batch <= 4; batch++) {
      batches(run, reported, batch, batch);
      snapshots.add(ids(run).size());
    }
    assertThat(snapshots).containsExactly(1, 2, 2, 3);

    run.land(List.of("{\"_op\":\"I\",\"_ord\":20,\"id\":1,\"v\":\"again\"}"));
    run.ingest();

    assertThat(run.rows()).containsExactly("1 | 'again'");
  }

  private static List<Long> ids(CaseRun run) {
    List<Long> ids = new ArrayList<>();
    for (Snapshot snapshot : run.live().snapshots()) {
      ids.add(snapshot.snapshotId());
    }
    return ids;
  }

  @Test
  void theOrderInWhichKeyColumnsAreNamedMeansNothing() throws IOException {
    ReportedCase reported = ReportedCase.named("BC-27");
    CaseRun run = prepared(reported, 3);
    assertThat(run.run("plan", "--apply")).as(run.said()).isZero();
    batches(run, reported, 1, 1);
    run.set("tables.\"%s\".key = [id, part]".formatted(run.table()));
    batches(run, reported, 2, 2);

    assertThat(run.rows()).containsExactlyInAnyOrderElementsOf(reported.rows());
  }

  @Test
  void deletesMayHoldNullWhereTheTableWantsAValue() throws IOException {
    ReportedCase reported = ReportedCase.named("BC-49");
    CaseRun run = prepared(reported, 3);
    batches(run, reported, 1, 1);
    run.land(
        List.of(
            "{\"_op\":\"D\",\"_ord\":3,\"id\":1,\"name\":null,\"n\":null}",
            "{\"_op\":\"D\",\"_ord\":4,\"id\":2,\"name\":\"\"}"));

    run.ingest();

    assertThat(run.rows()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void otherEnginesSeeTheSameRows(int formatVersion) throws IOException {
    ReportedCase reported = ReportedCase.named("BC-54");
    CaseRun run = prepared(reported, formatVersion);
    batches(run, reported, 1, 4);

    for (PythonEngine engine : List.of(PythonEngine.PYICEBERG, PythonEngine.DUCKDB)) {
      Path answers = Files.createDirectory(folder.resolve(engine.script()));
      assertThat(
              engine
                  .read(Map.of("t", PythonEngine.Source.of(run.live())), answers)
                  .get("t")
                  .rows()
                  .stream()
                  .map(row -> row.get("a") + " | '" + row.get("b") + "'")
                  .collect(Collectors.toList()))
          .as("by %s", engine.script())
          .containsExactlyInAnyOrderElementsOf(reported.rows());
    }
  }
}
