package io.rowmark.formats.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.rowmark.formats.audit.TableAudit;
import io.rowmark.formats.audit.TableInFolder;
import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestReaderJudge {
  private static final PartitionSpec NONE = PartitionSpec.unpartitioned();

  /** Engines that lack one ability each, with every way to fail. */
  private static final CapabilityData DATA =
      CapabilityData.bundled()
          .withOverrides(
              ConfigFactory.parseString(
                      """
                  all { equality = yes, position = yes, deletion-vector = yes, format-v3 = yes
                        source = "a test", date = 2026-11-30, confidence = high }
                  readers = [
                    ${all} { engine = modern }
                    ${all} { engine = failing, equality = { support = no, failure = error } }
                    ${all} { engine = silent, equality = { support = no, failure = wrong-rows }
                             deletion-vector = { support = no, failure = error } }
                    ${all} { engine = stalling, equality = { support = no, failure = stale } }
                    ${all} { engine = handing, equality = { support = no, failure = fallback } }
                    ${all} { engine = mute, equality = no }
                    ${all} { engine = obscure, equality = unknown }
                    ${all} { engine = scoped, equality = { support = partial, note = "no global ones"
                             condition = partition-scoped-only, failure = wrong-rows } }
                    ${all} { engine = kindred, equality = { support = partial, note = "own spec"
                             condition = same-spec-only, failure = wrong-rows } }
                    ${all} { engine = trial, deletion-vector = { support = partial, note = "a trial"
                             condition = preview, failure = error } }
                    ${all} { engine = second, position = { support = no, failure = wrong-rows }
                             format-v3 = { support = no, failure = error } }
                  ]
                  """)
                  .resolve()
                  .withoutPath("all"));

  @TempDir private Path folder;

  private static ReaderVerdict judge(TableAudit audit, String reader, String... allowed) {
    return new ReaderJudge(DATA, Audience.of(List.of(reader), List.of(allowed), DATA))
        .judge(audit)
        .get(0);
  }

  private static Ground ground(ReaderVerdict judged) {
    return judged.verdict().grounds().get(0);
  }

  private TableInFolder table(PartitionSpec spec, int formatVersion) {
    return TableInFolder.create(folder.resolve("t"), spec, formatVersion);
  }

  private TableInFolder globalEquality() throws IOException {
    TableInFolder table = table(NONE, 2);
    table.append("eu", 1, 2);
    table.commit(table.equality(null, NONE, 2));
    return table;
  }

  @ParameterizedTest
  @CsvSource({
    "modern, readable, true",
    "failing, error, false",
    "silent, wrong-rows, false",
    "stalling, stale, false",
    "handing, fallback, true",
    "mute, unknown, false",
    "obscure, unknown, false",
    "scoped, wrong-rows, false",
    "kindred, readable, true",
    "trial, readable, true"
  })
  void eachWayToFailIsItsOwnVerdict(String reader, String verdict, boolean right)
      throws IOException {
    ReaderVerdict judged = judge(globalEquality().audit(), reader);

    assertThat(judged.verdict().outcome().text()).isEqualTo(verdict);
    assertThat(judged.verdict().outcome().isRight()).isEqualTo(right);
    assertThat(judged.others()).isEmpty();
  }

  @Test
  void decidingFileReasonAndSourceAreNamed() throws IOException {
    TableInFolder table = table(NONE, 2);
    table.append("eu", 1, 2);
    DeleteFile delete = table.equality(null, NONE, 2);
    table.commit(delete);
    Ground ground = ground(judge(table.audit(), "failing"));

    assertThat(ground.kind()).isEqualTo("equality deletes");
    assertThat(ground.file()).isEqualTo(delete.location());
    assertThat(ground.files()).isEqualTo(1);
    assertThat(ground.reason()).isEqualTo("does not read equality deletes");
    assertThat(ground.evidence().source()).isEqualTo("a test");
  }

  @Test
  void tableWithoutDeletesIsReadableByAll() throws IOException {
    TableInFolder table = table(NONE, 2);
    table.append("eu", 1);

    assertThat(judge(table.audit(), "obscure").verdict())
        .isEqualTo(new Verdict.Readable(List.of()));
  }

  @Test
  void conditionOnScopeIsLookedUpInTheTable() throws IOException {
    TableInFolder partitioned = table(TableInFolder.BY_REGION, 2);
    partitioned.append("eu", 1, 2);
    partitioned.commit(
        partitioned.equality(partitioned.region("eu"), partitioned.table().spec(), 2));
    ReaderVerdict judged = judge(partitioned.audit(), "scoped");

    assertThat(judged.verdict().outcome()).isEqualTo(Outcome.READABLE);
    assertThat(ground(judged).reason())
        .isEqualTo("reads equality deletes of one partition (no global ones); there are no others");
  }

  @Test
  void conditionOnSpecIsLookedUpInTheTable() throws IOException {
    TableInFolder table = table(NONE, 2);
    table.table().updateSpec().addField("region").commit();
    table.append("eu", 1, 2);
    table.commit(table.equality(null, table.table().specs().get(0), 2));
    ReaderVerdict judged = judge(table.audit(), "kindred");

    assertThat(judged.verdict().outcome()).isEqualTo(Outcome.WRONG_ROWS);
    assertThat(ground(judged).kind()).isEqualTo("global equality deletes");
  }

  @Test
  void conditionOnScopeIsNotOverruledByPermission() throws IOException {
    ReaderVerdict judged =
        judge(globalEquality().audit(), "scoped", "scoped/partition-scoped-only");

    assertThat(judged.verdict()).isInstanceOf(Verdict.WrongRows.class);
    assertThat(ground(judged).kind()).isEqualTo("global equality deletes");
    assertThat(ground(judged).reason())
        .isEqualTo("does not read equality deletes that apply to the whole table (no global ones)");
  }

  @Test
  void deletesThatApplyToNothingMakeNoRowsWrong() throws IOException {
    TableInFolder table = table(TableInFolder.BY_REGION, 2);
    table.append("eu", 1);
    table.commit(table.equality(table.region("asia"), table.table().spec(), 2));
    TableAudit audit = table.audit();

    assertThat(audit.kinds()).isNotEmpty();
    ReaderVerdict silent = judge(audit, "silent");
    assertThat(silent.verdict().outcome()).isEqualTo(Outcome.READABLE);
    assertThat(ground(silent).reason()).endsWith("but none of them applies to a data file");
    assertThat(judge(audit, "failing").verdict().outcome()).isEqualTo(Outcome.ERROR);
  }

  @Test
  void allowedConditionCountsAsYesAndOthersAsNo() throws IOException {
    TableInFolder table = table(NONE, 3);
    DataFile file = table.append("eu", 1, 2);
    table.commit(table.vector(file.location(), NONE, null, 0));

    assertThat(judge(table.audit(), "trial", "trial/preview").verdict().outcome())
        .isEqualTo(Outcome.READABLE);
    ReaderVerdict refused = judge(table.audit(), "trial");
    assertThat(refused.verdict().outcome()).isEqualTo(Outcome.ERROR);
    assertThat(ground(refused).reason())
        .isEqualTo(
            "reads deletion vectors only under the condition preview, which is not allowed (a trial)");
  }

  @Test
  void worstVerdictDecidesAndTheOthersAreKept() throws IOException {
    TableInFolder table = table(NONE, 3);
    DataFile file = table.append("eu", 1, 2);
    table.commit(table.vector(file.location(), NONE, null, 0), table.equality(null, NONE, 2));
    ReaderVerdict judged = judge(table.audit(), "silent");

    assertThat(judged.verdict().outcome()).isEqualTo(Outcome.WRONG_ROWS);
    assertThat(judged.others()).extracting(Verdict::outcome).containsExactly(Outcome.ERROR);
  }

  @Test
  void readerThatRefusesTheFormatVersionNeverComesToTheDeletes() throws IOException {
    TableInFolder table = table(NONE, 2);
    DataFile file = table.append("eu", 1, 2);
    table.commit(table.delete(file, List.of(), 0));
    table.upgradeToV3();
    ReaderVerdict judged = judge(table.audit(), "second");

    assertThat(judged.verdict().outcome()).isEqualTo(Outcome.ERROR);
    assertThat(ground(judged).kind()).isEqualTo("format version 3");
    assertThat(ground(judged).file()).endsWith(".metadata.json");
    assertThat(judged.others()).extracting(Verdict::outcome).containsExactly(Outcome.WRONG_ROWS);
  }

  @Test
  void brokenTableFailsWhereIcebergPlansAndIsUnknownElsewhere() throws IOException {
    TableInFolder table = table(NONE, 3);
    DataFile file = table.append("eu", 1, 2, 3);
    table.commit(table.vector(file.location(), NONE, null, 0));
    table.commit(table.vector(file.location(), NONE, null, 1));

    ReaderVerdict spark = judge(table.audit(), "spark");
    assertThat(spark.verdict().outcome()).isEqualTo(Outcome.ERROR);
    assertThat(ground(spark).reason())
        .isEqualTo(
            "fails when it plans a scan: the table has data files with more than one deletion"
                + " vector");
    assertThat(judge(table.audit(), "modern").verdict().outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void bundledDataGivesTheKnownVerdicts() throws IOException {
    TableAudit equality = globalEquality().audit();
    TableInFolder vectors = TableInFolder.create(folder.resolve("v3"), NONE, 3);
    DataFile file = vectors.append("eu", 1, 2);
    vectors.commit(vectors.vector(file.location(), NONE, null, 0));
    TableAudit v3 = vectors.audit();

    Map<String, Outcome> onEquality =
        Map.of(
            "spark", Outcome.READABLE,
            "trino", Outcome.READABLE,
            "dremio", Outcome.WRONG_ROWS,
            "pyiceberg", Outcome.ERROR);
    onEquality.forEach(
        (reader, outcome) ->
            assertThat(judge(equality, reader).verdict().outcome()).as(reader).isEqualTo(outcome));
    Map<String, Outcome> onVectors =
        Map.of(
            "spark", Outcome.READABLE,
            "snowflake", Outcome.READABLE,
            "athena", Outcome.ERROR,
            "trino 470", Outcome.ERROR);
    onVectors.forEach(
        (reader, outcome) ->
            assertThat(judge(v3, reader).verdict().outcome()).as(reader).isEqualTo(outcome));
  }

  @Test
  void declaredReadersAreACommaList() {
    assertThat(DeclaredReaders.of(Map.of("rowmark.readers", "spark, trino 480 ,")))
        .containsExactly("spark", "trino 480");
    assertThat(DeclaredReaders.of(Map.of())).isEmpty();
  }
}
