package io.rowmark.formats.capability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCapabilityData {
  private static final CapabilityData BUNDLED = CapabilityData.bundled();

  /** Equality, position, deletion vector, format v3, each as {@link Support#text}. */
  private static final Map<String, List<String>> SEED =
      Map.ofEntries(
          Map.entry("spark", List.of("yes", "yes", "yes", "yes")),
          Map.entry("spark 3.3", List.of("yes", "yes", "no: error", "no: error")),
          Map.entry("flink", List.of("yes", "yes", "yes", "yes")),
          Map.entry("trino", List.of("yes", "yes", "yes", "yes")),
          Map.entry("trino 479", List.of("yes", "yes", "no: error", "no: error")),
          Map.entry("trino 480", List.of("yes", "yes", "yes", "yes")),
          Map.entry("duckdb 1.2", List.of("no: error", "yes", "no: error", "no: error")),
          Map.entry("duckdb 1.4.3", List.of("yes", "yes", "no: error", "no: error")),
          Map.entry("duckdb", List.of("yes", "yes", "yes", "yes")),
          Map.entry(
              "clickhouse",
              List.of(
                  "partial: same-spec-only, else wrong-rows",
                  "yes",
                  "partial: experimental, else wrong-rows",
                  "yes")),
          // These were run by TestReaderMatrix.
          Map.entry(
              "clickhouse 26.9",
              List.of("partial: same-spec-only, else wrong-rows", "yes", "no: error", "yes")),
          Map.entry("pyiceberg 0.12", List.of("no: error", "yes", "yes", "yes")),
          Map.entry("athena", List.of("yes", "yes", "no: error", "no: error")),
          Map.entry("redshift", List.of("unknown", "yes", "yes", "yes")),
          Map.entry(
              "bigquery",
              List.of(
                  "yes",
                  "yes",
                  "partial: preview, else unknown",
                  "partial: preview, else unknown")),
          Map.entry("snowflake", List.of("no: stale", "yes", "yes", "yes")),
          Map.entry(
              "dremio",
              List.of("partial: partition-scoped-only, else wrong-rows", "yes", "no", "no")),
          Map.entry("databricks", List.of("no: wrong-rows", "no: wrong-rows", "yes", "yes")),
          Map.entry(
              "databricks 17.3",
              List.of(
                  "no: wrong-rows",
                  "no: wrong-rows",
                  "partial: beta, else error",
                  "partial: beta, else error")),
          Map.entry("hive 4.0", List.of("yes", "yes", "no: error", "no: error")),
          Map.entry("hive", List.of("yes", "yes", "yes", "yes")),
          Map.entry("impala", List.of("yes", "yes", "no: error", "no: error")),
          Map.entry("impala 5.0", List.of("yes", "yes", "yes", "yes")));

  @Test
  void seedRowsSayWhatTheFactsSay() {
    SEED.forEach(
        (reader, expected) -> {
          ReaderCapability row = BUNDLED.capability(BUNDLED.reader(reader));
          assertThat(
                  Stream.of(
                          row.deletes(DeleteFormat.EQUALITY),
                          row.deletes(DeleteFormat.POSITION),
                          row.deletes(DeleteFormat.DELETION_VECTOR),
                          row.formatV3())
                      .map(stated -> stated.value().text()))
              .as(reader)
              .isEqualTo(expected);
        });
  }

  @Test
  void everyEngineAndCatalogThatWasAskedForIsThere() {
    assertThat(BUNDLED.engines())
        .contains("spark", "flink", "trino", "presto", "duckdb", "clickhouse", "starrocks", "hive")
        .contains("impala", "athena", "redshift", "bigquery", "snowflake", "dremio")
        .contains("databricks", "doris", "polars", "pyiceberg", "iceberg-rust", "emr")
        .contains("glue-etl", "dremio-cloud");
    assertThat(BUNDLED.catalogs())
        .contains("polaris", "lakekeeper", "nessie", "hive-metastore", "glue", "s3-tables")
        .contains("horizon", "unity", "unity-oss", "gravitino", "jdbc", "hadoop")
        .contains("iceberg-rest-fixture");
  }

  @Test
  void everyBundledStatementIsSourcedAndNotOfTheFuture() {
    for (String engine : BUNDLED.engines()) {
      for (ReaderCapability row : BUNDLED.rows(engine)) {
        Stream.concat(row.deletes().values().stream(), Stream.of(row.formatV3()))
            .forEach(stated -> assertSourced(row.text(), stated.evidence()));
      }
    }
    for (String name : BUNDLED.catalogs()) {
      CatalogCapability row = BUNDLED.catalog(name);
      Stream.concat(row.deletes().values().stream(), Stream.of(row.formatV3()))
          .forEach(stated -> assertSourced(name, stated.evidence()));
      assertSourced(name, row.multiTableCommit().evidence());
    }
  }

  private static void assertSourced(String of, Evidence evidence) {
    assertThat(evidence.source()).as(of).isNotBlank();
    assertThat(evidence.date()).as(of).isBetween(LocalDate.of(2024, 1, 1), BUNDLED.asOf());
    assertThat(evidence.origin()).as(of).matches("rowmark-capabilities.conf:\\d+");
  }

  @Test
  void catalogsSayHowTheyCommit() {
    assertThat(BUNDLED.catalog("polaris").multiTableCommit().value())
        .isEqualTo(MultiTableCommit.ATOMIC);
    assertThat(BUNDLED.catalog("polaris").stagedCreate().value().text()).isEqualTo("no: error");
    assertThat(BUNDLED.catalog("iceberg-rest-fixture").multiTableCommit().value())
        .isEqualTo(MultiTableCommit.OFFERED);
    assertThat(BUNDLED.catalog("glue").multiTableCommit().value())
        .isEqualTo(MultiTableCommit.ABSENT);
    assertThat(BUNDLED.catalog("nessie").deletes(DeleteFormat.DELETION_VECTOR).value().text())
        .isEqualTo("no: error");
    assertThat(BUNDLED.findCatalog("my own")).isEmpty();
  }

  @Test
  void namesAndAliasesAreReadInAnyCase() {
    assertThat(BUNDLED.reader(" AWS_Athena ").text()).isEqualTo("athena");
    assertThat(BUNDLED.reader("DBR 18.0").text()).isEqualTo("databricks 18.0");
    assertThat(BUNDLED.catalog("hive").name()).isEqualTo("hive-metastore");
    assertThat(BUNDLED.condition("chDB/Experimental")).isEqualTo("clickhouse/experimental");
    assertThat(BUNDLED.condition("databricks/beta")).isEqualTo("databricks/beta");
  }

  @Test
  void ofAVersionOlderThanAllStatementsNothingIsKnown() {
    CapabilityData data =
        BUNDLED.withOverrides(
            conf(
                "readers = [{ engine = ours, min-version = 2.1, position = yes, source = us,"
                    + " date = 2026-11-30 }]"));

    assertThat(data.capability(data.reader("ours 2.1")).deletes(DeleteFormat.POSITION).value())
        .isEqualTo(new Support.Yes(""));
    assertThat(data.capability(data.reader("ours 2.0")).deletes(DeleteFormat.POSITION).value())
        .isEqualTo(new Support.Unknown(""));
  }

  @Test
  void anOverrideReplacesOneCellAndKeepsTheOthers() {
    CapabilityData data =
        BUNDLED.withOverrides(
            conf(
                "readers = [{ engine = prestodb, deletion-vector = yes, format-v3 = yes,"
                    + " source = \"run by us\", date = 2026-11-29, confidence = high }]"));

    ReaderCapability presto = data.capability(data.reader("presto"));
    assertThat(presto.deletes(DeleteFormat.DELETION_VECTOR))
        .isEqualTo(
            new Stated<>(
                new Support.Yes(""),
                new Evidence(
                    "run by us", LocalDate.of(2026, 11, 29), Confidence.HIGH, "orders.conf: 1")));
    assertThat(presto.deletes(DeleteFormat.POSITION))
        .isEqualTo(BUNDLED.capability(BUNDLED.reader("presto")).deletes(DeleteFormat.POSITION));
  }

  @Test
  void anOverrideHoldsFromItsVersionOn() {
    CapabilityData all = BUNDLED.withOverrides(conf(noDeletionVectorsIn("trino", "")));
    assertThat(deletionVectors(all, "trino")).isEqualTo("no: error");
    assertThat(deletionVectors(all, "trino 480")).isEqualTo("no: error");

    CapabilityData from490 =
        BUNDLED.withOverrides(conf(noDeletionVectorsIn("trino", "min-version = 490,")));
    assertThat(deletionVectors(from490, "trino 489")).isEqualTo("yes");
    assertThat(deletionVectors(from490, "trino 490")).isEqualTo("no: error");
    assertThat(deletionVectors(from490, "trino")).isEqualTo("no: error");

    CapabilityData from400 =
        BUNDLED.withOverrides(conf(noDeletionVectorsIn("trino", "min-version = 400,")));
    assertThat(deletionVectors(from400, "trino 480")).isEqualTo("no: error");
  }

  private static String noDeletionVectorsIn(String engine, String version) {
    return "readers = [{ engine = %s, %s deletion-vector { support = no, failure = error }, source = us, date = 2026-11-30 }]"
        .formatted(engine, version);
  }

  private static String deletionVectors(CapabilityData data, String reader) {
    return data.capability(data.reader(reader))
        .deletes(DeleteFormat.DELETION_VECTOR)
        .value()
        .text();
  }

  @Test
  void catalogsCanBeAddedAndCorrected() {
    CapabilityData data =
        BUNDLED.withOverrides(
            conf(
                """
                catalogs = [
                  { catalog = ours, aliases = [prod], position = yes, multi-table-commit = atomic
                    source = "rowmark check --catalog", date = 2026-11-30 }
                  { catalog = glue, multi-table-commit = offered, source = us, date = 2026-11-30 }
                ]
                """));

    assertThat(data.catalog("prod").multiTableCommit().value()).isEqualTo(MultiTableCommit.ATOMIC);
    assertThat(data.catalog("prod").formatV3().value()).isEqualTo(new Support.Unknown(""));
    assertThat(data.catalog("glue").multiTableCommit().value()).isEqualTo(MultiTableCommit.OFFERED);
    assertThat(data.catalog("glue").formatV3()).isEqualTo(BUNDLED.catalog("glue").formatV3());
  }

  @Test
  void aMisspeltEngineIsAnsweredWithTheNearest() {
    refused(() -> BUNDLED.reader("snowflak"))
        .hasMessageContaining("There is no reader 'snowflak'")
        .hasMessageContaining("Did you mean snowflake?");
    refused(() -> BUNDLED.reader("a database of quite another kind"))
        .hasMessageContaining("is not of the form <engine> or <engine> <version>");
    refused(() -> BUNDLED.reader("trino >= 480")).hasMessageContaining("\"duckdb 1.4\"");
    refused(() -> BUNDLED.reader("trino latest")).hasMessageContaining("numbers with dots");
    refused(() -> BUNDLED.reader("")).hasMessageContaining("is not of the form");
    refused(() -> BUNDLED.catalog("polaria")).hasMessageContaining("Did you mean polaris?");
    refused(() -> BUNDLED.condition("clickhouse/experimentl"))
        .hasMessageContaining("Did you mean clickhouse/experimental?");
  }

  @Test
  void anOverrideWithoutDateOrSourceIsRefusedByName() {
    refused(() -> overridden("readers = [{ engine = presto, deletion-vector = yes, source = us }]"))
        .hasMessageStartingWith("orders.conf: 1: engine presto has no date.")
        .hasMessageContaining("Say when that was true, as in date = 2026-11-30.");
    refused(
            () ->
                overridden(
                    "readers = [{ engine = presto, deletion-vector { support = yes },"
                        + " date = 2026-11-30 }]"))
        .hasMessageContaining("deletion-vector of engine presto has no source")
        .hasMessageContaining("source = \"run by us\"");
  }

  @Test
  void twoOverridesThatDisagreeAreRefused() {
    refused(
            () ->
                overridden(
                    """
                    readers = [
                      { engine = presto, deletion-vector = yes, source = us, date = 2026-11-30 }
                      { engine = prestodb, deletion-vector = no, source = them, date = 2026-11-30 }
                    ]
                    """))
        .hasMessage(
            "orders.conf: 3: deletion-vector of presto is said to be (no) here and (yes) at"
                + " orders.conf: 2. Remove one of the two.");
    refused(
            () ->
                overridden(
                    """
                    catalogs = [
                      { catalog = glue, multi-table-commit = atomic, source = us, date = 2026-11-30 }
                      { catalog = glue, multi-table-commit = absent, source = us, date = 2026-11-30 }
                    ]
                    """))
        .hasMessageContaining("is said to be absent here and atomic at orders.conf: 2");
  }

  @Test
  void unknownKeysAndValuesAreRefusedWithTheirPlace() {
    refused(() -> overridden("\nreaders = [{ engine = presto, positions = yes }]"))
        .hasMessage("orders.conf: 2: engine presto has no key positions. Did you mean position?");
    refused(() -> overridden("reader = []")).hasMessageContaining("Did you mean readers?");
    refused(() -> overridden("readers = { presto { position = yes } }"))
        .hasMessageContaining("readers must be a list of objects");
    refused(() -> overridden("readers = [{ position = yes }]"))
        .hasMessageContaining("an entry of readers lacks engine");
    refused(() -> overridden(presto("position = perhaps")))
        .hasMessageContaining("is 'perhaps', but must be one of yes, no, partial, unknown");
    refused(() -> overridden(presto("position = partial")))
        .hasMessageContaining("needs a condition and a note");
    refused(() -> overridden(presto("position { support = partial, condition = x }")))
        .hasMessageContaining("lacks note");
    refused(() -> overridden(presto("position { support = yes, failure = error }")))
        .hasMessageContaining("is of use only where support = no or partial");
    refused(() -> overridden(presto("position { support = no, failure = bang }")))
        .hasMessageContaining("must be one of error, wrong-rows, stale, fallback, unknown");
    refused(() -> overridden(presto("min-version = soon")))
        .hasMessageContaining("must be numbers with dots");
    refused(
            () ->
                overridden(
                    "readers = [{ engine = presto, position = yes, source = us, date = today }]"))
        .hasMessageContaining("must be a date such as 2026-11-30");
    refused(() -> overridden(presto("aliases = [trino]")))
        .hasMessageContaining("calls both presto and trino by the name trino");
  }

  @Test
  void placesInFilesAreNamedByFileAndLine(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("orders.conf"), "\nreader = []\n");

    refused(() -> BUNDLED.withOverrides(ConfigFactory.parseFile(file.toFile())))
        .hasMessageStartingWith(file + ":2: the capabilities section has no key reader.");
  }

  @Test
  void versionsAreComparedByNumber() {
    assertThat(new EngineVersion("1.10")).isGreaterThan(new EngineVersion("1.9"));
    assertThat(new EngineVersion("4.0"))
        .isEqualTo(new EngineVersion("4.0.0"))
        .hasSameHashCodeAs(new EngineVersion("4.0.0"));
    assertThat(EngineVersion.parse("480-e")).isEmpty();
    assertThat(EngineVersion.parse("1.")).isEmpty();
  }

  private static String presto(String text) {
    return "readers = [{ engine = presto, %s, source = us, date = 2026-11-30 }]".formatted(text);
  }

  private static CapabilityData overridden(String text) {
    return BUNDLED.withOverrides(conf(text));
  }

  private static Config conf(String text) {
    return ConfigFactory.parseString(
        text, ConfigParseOptions.defaults().setOriginDescription("orders.conf"));
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> refused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RowmarkException.class,
            failure -> assertThat(failure.category()).isEqualTo(Category.CONFIG));
  }
}
