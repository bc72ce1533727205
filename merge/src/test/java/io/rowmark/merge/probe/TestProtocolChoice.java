package io.rowmark.merge.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.merge.probe.Finding.Verdict;
import io.rowmark.merge.probe.ProtocolChoice.Fit;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.CommitSpec.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What follows from findings; the catalogs are never asked, so they need no server. */
class TestProtocolChoice {

  /** Every experiment with the verdict YES, but for some. */
  private static List<Finding> allYesBut(Map<Experiment, Verdict> others) {
    List<Finding> findings = new ArrayList<>();
    for (Experiment experiment : Experiment.values()) {
      findings.add(
          new Finding(experiment, others.getOrDefault(experiment, Verdict.YES), "as told"));
    }
    return findings;
  }

  private static ProtocolChoice choice(
      Mode mode, Catalog catalog, Map<Experiment, Verdict> others) {
    return ProtocolChoice.of(new CommitSpec(mode, 1), null, catalog, allYesBut(others));
  }

  @Test
  void anAtomicCommitThatWasAskedForAndSeenIsGood() {
    assertThat(choice(Mode.ATOMIC, new RESTCatalog(), Map.of()))
        .isEqualTo(new ProtocolChoice("atomic", "commit.mode = atomic", Fit.GOOD, ""));
  }

  @Test
  void anOrderedCommitThatWasAskedForHasABetterOneBesideIt() {
    ProtocolChoice choice = choice(Mode.ORDERED, new RESTCatalog(), Map.of());
    assertThat(choice.label()).isEqualTo("ordered");
    assertThat(choice.reason()).isEqualTo("commit.mode = ordered");
    assertThat(choice.fit()).isEqualTo(Fit.BETTER_EXISTS);
    assertThat(choice.advice()).contains("set commit.mode = atomic");
  }

  @ParameterizedTest
  @EnumSource(
      value = Experiment.class,
      names = {"MULTI_TABLE_COMMIT", "STALE_MEMBER", "CONCURRENT_COMMITS"})
  void anAtomicCommitThatWasSeenTornIsUnsafeAndOrderedIsRight(Experiment experiment) {
    Map<Experiment, Verdict> torn = Map.of(experiment, Verdict.WRONG);
    assertThat(choice(Mode.ATOMIC, new RESTCatalog(), torn))
        .isEqualTo(
            new ProtocolChoice(
                "atomic",
                "commit.mode = atomic",
                Fit.UNSAFE,
                "The multi-table commit is not atomic. Set commit.mode = ordered."));
    assertThat(choice(Mode.ORDERED, new RESTCatalog(), torn).advice())
        .isEqualTo("Leave it so: the catalog's multi-table commit is not atomic.");
  }

  @ParameterizedTest
  @EnumSource(
      value = Experiment.class,
      names = {"MULTI_TABLE_COMMIT", "STALE_MEMBER", "CONCURRENT_COMMITS"})
  void whatCouldNotBeTriedIsNotRecommended(Experiment experiment) {
    assertThat(choice(Mode.ORDERED, new RESTCatalog(), Map.of(experiment, Verdict.UNKNOWN)))
        .isEqualTo(new ProtocolChoice("ordered", "commit.mode = ordered", Fit.GOOD, ""));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aCatalogThatLosesCommitsIsUnsafeUnderEveryProtocol(Mode mode) {
    ProtocolChoice choice =
        choice(
            mode,
            mode == Mode.ATOMIC ? new RESTCatalog() : new HadoopCatalog(),
            Map.of(Experiment.STALE_COMMIT, Verdict.WRONG));
    assertThat(choice.fit()).isEqualTo(Fit.UNSAFE);
    assertThat(choice.advice())
        .isEqualTo(
            "The catalog loses commits when two writers meet. Let nothing else write to the tables, or use another catalog.");
  }
}
