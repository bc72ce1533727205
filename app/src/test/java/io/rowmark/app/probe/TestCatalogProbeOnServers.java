package io.rowmark.app.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.app.probe.AwkwardServer.Habit;
import io.rowmark.merge.probe.CatalogProbe;
import io.rowmark.merge.probe.Experiment;
import io.rowmark.merge.probe.Finding;
import io.rowmark.merge.probe.Finding.Verdict;
import io.rowmark.merge.probe.ProbeReport;
import io.rowmark.merge.probe.ProtocolChoice;
import io.rowmark.merge.probe.ProtocolChoice.Fit;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.CommitSpec.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCatalogProbeOnServers {
  private static final Namespace SCRATCH = Namespace.of("scratch");

  @TempDir Path folder;

  private ProbeReport probe(Mode mode, Habit... habits) throws IOException {
    Set<Habit> all = EnumSet.noneOf(Habit.class);
    all.addAll(Arrays.asList(habits));
    try (EmbeddedCatalog embedded = EmbeddedCatalog.start(folder, 0);
        AwkwardServer server = AwkwardServer.before(embedded.uri(), all)) {
      Map<String, String> properties = new HashMap<>(embedded.clientProperties());
      properties.put("uri", server.uri());
      try (RESTCatalog catalog =
          (RESTCatalog) CatalogUtil.buildIcebergCatalog("lake", properties, new Configuration())) {
        ProbeReport report = CatalogProbe.run(catalog, SCRATCH, new CommitSpec(mode, 1));
        assertThat(report.left()).isEmpty();
        assertThat(catalog.namespaceExists(SCRATCH)).isFalse();
        assertThat(scratchFiles()).isEmpty();
        return report;
      }
    }
  }

  private List<Path> scratchFiles() throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths
          .filter(path -> path.toString().contains("rowmark_probe_"))
          .filter(Files::isRegularFile)
          .toList();
    }
  }

  private static Map<Experiment, Verdict> verdicts(ProbeReport report) {
    Map<Experiment, Verdict> verdicts = new HashMap<>();
    report.findings().forEach(finding -> verdicts.put(finding.experiment(), finding.verdict()));
    return verdicts;
  }

  @Test
  void theEmbeddedCatalogDoesAllButCreateTablesInATransaction() throws IOException {
    ProbeReport report = probe(Mode.AUTO);
    for (Finding finding : report.findings()) {
      assertThat(finding.verdict())
          .as(finding.toString())
          .isEqualTo(finding.experiment() == Experiment.STAGED_CREATE ? Verdict.NO : Verdict.YES);
    }
    assertThat(report.of(Experiment.ENDPOINT).happened())
        .isEqualTo("/v1/config lists it; Iceberg's client uses it");
    assertThat(report.of(Experiment.STALE_MEMBER).happened())
        .isEqualTo("refused as a conflict, and neither table changed, stale one first or last");
    assertThat(report.of(Experiment.STAGED_CREATE).happened())
        .contains("cannot be created in a multi-table commit; create it empty beforehand");
    assertThat(report.protocol())
        .isEqualTo(
            new ProtocolChoice(
                "atomic",
                "the catalog claims that its multi-table commit is atomic",
                Fit.GOOD,
                ""));
  }

  @Test
  void anAtomicCatalogThatDoesNotSaySoGetsTheSettingToMake() throws IOException {
    ProbeReport report = probe(Mode.AUTO, Habit.NO_CLAIM, Habit.NO_LIST);
    assertThat(report.of(Experiment.ENDPOINT))
        .isEqualTo(
            new Finding(
                Experiment.ENDPOINT,
                Verdict.UNKNOWN,
                "/v1/config lists no endpoints; Iceberg's client uses it"));
    assertThat(report.of(Experiment.CONCURRENT_COMMITS).verdict()).isEqualTo(Verdict.YES);
    assertThat(report.protocol().label()).isEqualTo("ordered");
    assertThat(report.protocol().fit()).isEqualTo(Fit.BETTER_EXISTS);
    assertThat(report.protocol().advice())
        .isEqualTo(
            "No commit was seen half applied. Trying cannot prove it: if the catalog's documentation says that its multi-table commit is atomic, set commit.mode = atomic, or the catalog property rowmark.multi-table-commit = atomic.");
  }

  @Test
  void aServerThatGoesTableByTableIsFoundByAStaleTable() throws IOException {
    ProbeReport report = probe(Mode.AUTO, Habit.TABLE_BY_TABLE);
    assertThat(report.of(Experiment.MULTI_TABLE_COMMIT).verdict()).isEqualTo(Verdict.YES);
    assertThat(report.of(Experiment.STALE_MEMBER))
        .isEqualTo(
            new Finding(
                Experiment.STALE_MEMBER,
                Verdict.WRONG,
                "stale table last: refused, and the other table changed, the stale one did not change"));
    assertThat(report.protocol())
        .isEqualTo(
            new ProtocolChoice(
                "atomic",
                "the catalog claims that its multi-table commit is atomic",
                Fit.UNSAFE,
                "The multi-table commit is not atomic. Set commit.mode = ordered."));
  }

  @Test
  void aServerThatChecksFirstIsFoundByWritersThatMeet() throws IOException {
    ProbeReport report = probe(Mode.AUTO, Habit.CHECKS_THEN_TABLE_BY_TABLE, Habit.NO_CLAIM);
    assertThat(report.of(Experiment.STALE_MEMBER).verdict()).isEqualTo(Verdict.YES);
    assertThat(report.of(Experiment.CONCURRENT_COMMITS).verdict())
        .as(report.of(Experiment.CONCURRENT_COMMITS).happened())
        .isEqualTo(Verdict.WRONG);
    assertThat(report.protocol().label()).isEqualTo("ordered");
    assertThat(report.protocol().fit()).isEqualTo(Fit.GOOD);
    assertThat(report.protocol().advice())
        .isEqualTo("Leave it so: the catalog's multi-table commit is not atomic.");
  }

  @Test
  void aServerWithoutTheEndpointHasNoMultiTableCommit() throws IOException {
    ProbeReport report = probe(Mode.ATOMIC, Habit.NO_ENDPOINT, Habit.NO_CLAIM);
    assertThat(report.of(Experiment.ENDPOINT).verdict()).isEqualTo(Verdict.NO);
    assertThat(report.of(Experiment.ENDPOINT).happened())
        .endsWith(" without it; Iceberg's client does not use it");
    assertThat(report.of(Experiment.MULTI_TABLE_COMMIT).verdict()).isEqualTo(Verdict.NO);
    assertThat(report.of(Experiment.CONCURRENT_COMMITS).verdict()).isEqualTo(Verdict.NOT_TRIED);
    assertThat(report.protocol().fit()).isEqualTo(Fit.UNSAFE);
    assertThat(report.protocol().advice())
        .isEqualTo("The catalog has no multi-table commit. Set commit.mode = ordered.");
  }

  @Test
  void aServerThatMakesOlderTablesAndLosesFirstCommitsIsFound() throws IOException {
    ProbeReport report = probe(Mode.ORDERED, Habit.VERSION_2_ONLY, Habit.EMPTY_UNCHECKED);
    assertThat(report.of(Experiment.CREATE_V3))
        .isEqualTo(
            new Finding(
                Experiment.CREATE_V3,
                Verdict.WRONG,
                "created without complaint as format version 2"));
    assertThat(report.of(Experiment.DELETION_VECTORS))
        .isEqualTo(
            new Finding(
                Experiment.DELETION_VECTORS,
                Verdict.NOT_TRIED,
                "asked for a table of format version 3, got one of version 2"));
    assertThat(report.of(Experiment.STALE_COMMIT).verdict()).isEqualTo(Verdict.YES);
    assertThat(report.of(Experiment.STALE_COMMIT_ON_EMPTY_TABLE))
        .isEqualTo(
            new Finding(
                Experiment.STALE_COMMIT_ON_EMPTY_TABLE,
                Verdict.WRONG,
                "the first commit is gone: an update was lost"));
    assertThat(report.of(Experiment.MULTI_TABLE_COMMIT).verdict()).isEqualTo(Verdict.YES);
  }

  @Test
  void aJdbcCatalogCommitsOneTableAtATime() throws Exception {
    Map<String, String> properties =
        Map.of(
            "type",
            "jdbc",
            "uri",
            "jdbc:h2:mem:probe;DB_CLOSE_DELAY=-1",
            "jdbc.schema-version",
            "V1",
            "warehouse",
            folder.resolve("warehouse").toUri().toString());
    try (JdbcCatalog catalog =
        (JdbcCatalog) CatalogUtil.buildIcebergCatalog("lake", properties, new Configuration())) {
      ProbeReport report = CatalogProbe.run(catalog, SCRATCH, new CommitSpec(Mode.AUTO, 1));
      Map<Experiment, Verdict> verdicts = verdicts(report);
      Set<Experiment> multiTable = EnumSet.range(Experiment.ENDPOINT, Experiment.STAGED_CREATE);
      for (Finding finding : report.findings()) {
        if (!multiTable.contains(finding.experiment())) {
          assertThat(finding.verdict()).as(finding.toString()).isEqualTo(Verdict.YES);
        }
      }
      assertThat(verdicts.get(Experiment.MULTI_TABLE_COMMIT)).isEqualTo(Verdict.NO);
      assertThat(report.protocol().label()).isEqualTo("ordered");
      assertThat(report.protocol().fit()).isEqualTo(Fit.GOOD);
      assertThat(report.left()).isEmpty();
      assertThat(((SupportsNamespaces) catalog).namespaceExists(SCRATCH)).isFalse();
      assertThat(scratchFiles()).isEmpty();
    }
  }
}
