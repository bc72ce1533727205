package io.rowmark.merge.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.probe.Finding.Verdict;
import io.rowmark.merge.probe.ProtocolChoice.Fit;
import io.rowmark.merge.spec.CommitSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.ServiceFailureException;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a catalog without a multi-table commit; those that have one are tried in the app's tests. */
class TestCatalogProbe {
  private static final Namespace SCRATCH = Namespace.of("scratch");
  private static final CommitSpec AUTO = new CommitSpec(CommitSpec.Mode.AUTO, 1);

  @TempDir Path warehouse;

  private <T extends HadoopCatalog> T open(T catalog) {
    catalog.setConf(new Configuration());
    catalog.initialize("lake", Map.of("warehouse", warehouse.toUri().toString()));
    return catalog;
  }

  private List<String> files() throws IOException {
    try (Stream<Path> paths = Files.walk(warehouse)) {
      return paths
          .filter(path -> !path.equals(warehouse))
          .map(path -> warehouse.relativize(path).toString())
          .toList();
    }
  }

  @Test
  void aHadoopCatalogTakesEveryFormatAndCommitsOneTableAtATime() throws IOException {
    ProbeReport report = CatalogProbe.run(open(new HadoopCatalog()), SCRATCH, AUTO);
    assertThat(report.findings())
        .extracting(finding -> finding.experiment() + " " + finding.verdict())
        .containsExactly(
            "CREATE_V2 YES",
            "CREATE_V3 YES",
            "POSITION_DELETES YES",
            "EQUALITY_DELETES YES",
            "DELETION_VECTORS YES",
            "SNAPSHOT_PROPERTIES YES",
            "TABLE_PROPERTIES YES",
            "STALE_COMMIT YES",
            "STALE_COMMIT_ON_EMPTY_TABLE YES",
            "ENDPOINT NO",
            "MULTI_TABLE_COMMIT NO",
            "STALE_MEMBER NOT_TRIED",
            "CONCURRENT_COMMITS NOT_TRIED",
            "STAGED_CREATE NOT_TRIED");
    assertThat(report.findings())
        .extracting(Finding::experiment)
        .containsExactly(Experiment.values());
    assertThat(report.kind()).isEqualTo("HadoopCatalog");
    assertThat(report.protocol())
        .isEqualTo(
            new ProtocolChoice(
                "ordered",
                "commit.mode = auto, and the catalog does not claim an atomic multi-table commit",
                Fit.GOOD,
                ""));
    assertThat(report.left()).isEmpty();
    assertThat(files()).isEmpty();
  }

  @Test
  void atomicCommitsAreNotToBeHadHere() {
    ProbeReport report =
        CatalogProbe.run(
            open(new HadoopCatalog()), SCRATCH, new CommitSpec(CommitSpec.Mode.ATOMIC, 1));
    assertThat(report.protocol())
        .isEqualTo(
            new ProtocolChoice(
                "none",
                "commit.mode is atomic, and catalog lake (HadoopCatalog) has no multi-table commit. Set commit.mode to ordered or auto.",
                Fit.UNSAFE,
                "Set commit.mode = ordered or auto."));
  }

  @Test
  void aNamespaceThatWasThereStaysWithItsTables() {
    HadoopCatalog catalog = open(new HadoopCatalog());
    catalog.createNamespace(SCRATCH);
    TableIdentifier other = TableIdentifier.of(SCRATCH, "orders");
    catalog.createTable(other, ScratchTables.SCHEMA);
    ProbeReport report = CatalogProbe.run(catalog, SCRATCH, AUTO);
    assertThat(report.left()).isEmpty();
    assertThat(catalog.listTables(SCRATCH)).containsExactly(other);
  }

  /** Refuses tables of version 3, and cannot drop one of its tables. */
  private static final class Grumpy extends HadoopCatalog {
    @Override
    public TableBuilder buildTable(TableIdentifier name, Schema schema) {
      if (name.name().endsWith("_v3")) {
        throw new BadRequestException("no such version here");
      } else if (name.name().endsWith("_equality")) {
        throw new ServiceFailureException("out of order");
      }
      return super.buildTable(name, schema);
    }

    @Override
    public boolean dropTable(TableIdentifier name, boolean purge) {
      if (name.name().endsWith("_stale")) {
        throw new IllegalStateException("locked");
      }
      return super.dropTable(name, purge);
    }
  }

  @Test
  void aRefusalIsToldFromAnOutageAndWhatCannotBeRemovedIsNamed() {
    Grumpy catalog = open(new Grumpy());
    ProbeReport report = CatalogProbe.run(catalog, SCRATCH, AUTO);
    assertThat(report.of(Experiment.CREATE_V3))
        .isEqualTo(
            new Finding(
                Experiment.CREATE_V3, Verdict.NO, "BadRequestException: no such version here"));
    assertThat(report.of(Experiment.EQUALITY_DELETES))
        .isEqualTo(
            new Finding(
                Experiment.EQUALITY_DELETES,
                Verdict.UNKNOWN,
                "ServiceFailureException: out of order"));
    assertThat(report.of(Experiment.TABLE_PROPERTIES).verdict()).isEqualTo(Verdict.YES);
    assertThat(catalog.listTables(SCRATCH)).hasSize(1);
    assertThat(report.left())
        .containsExactly(
            "table %s (IllegalStateException: locked)"
                .formatted(catalog.listTables(SCRATCH).get(0)));
  }

  /** Dies in the middle. */
  private static final class Dying extends HadoopCatalog {
    @Override
    public TableBuilder buildTable(TableIdentifier name, Schema schema) {
      if (name.name().endsWith("_stale")) {
        throw new StackOverflowError("the end");
      }
      return super.buildTable(name, schema);
    }
  }

  @Test
  void aProbeThatDiesCleansUpAsWell() throws IOException {
    Dying catalog = open(new Dying());
    assertThatThrownBy(() -> CatalogProbe.run(catalog, SCRATCH, AUTO))
        .isInstanceOf(StackOverflowError.class);
    assertThat(files()).isEmpty();
  }

  @Test
  void aNamespaceThatCannotBeMadeIsAnErrorOfTheConfiguration() throws IOException {
    HadoopCatalog catalog = open(new HadoopCatalog());
    Files.writeString(warehouse.resolve("scratch"), "a file in the way");
    assertThatThrownBy(() -> CatalogProbe.run(catalog, Namespace.of("scratch", "inner"), AUTO))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.CONFIG))
        .hasMessageStartingWith(
            "The namespace 'scratch.inner' is not there and cannot be created: ")
        .hasMessageEndingWith(" Name one in which tables may be created.");
  }
}
