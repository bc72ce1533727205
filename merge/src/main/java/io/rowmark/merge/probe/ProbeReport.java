package io.rowmark.merge.probe;

import io.rowmark.merge.probe.Finding.Verdict;
import java.util.List;

/**
 * What a probe learnt of a catalog.
 *
 * @param catalog its name
 * @param kind the client class, as in {@code RESTCatalog}
 * @param namespace where the scratch tables were
 * @param findings one for each {@link Experiment}, in its order
 * @param protocol how {@code ingest} will commit there
 * @param left what could not be removed, one line each; empty when nothing is left
 */
public record ProbeReport(
    String catalog,
    String kind,
    String namespace,
    List<Finding> findings,
    ProtocolChoice protocol,
    List<String> left) {
  public ProbeReport {
    findings = List.copyOf(findings);
    left = List.copyOf(left);
  }

  /** What one experiment showed. */
  public Finding of(Experiment experiment) {
    return findings.stream()
        .filter(finding -> finding.experiment() == experiment)
        .findFirst()
        .orElseGet(() -> new Finding(experiment, Verdict.NOT_TRIED, "the probe was cut off"));
  }
}
