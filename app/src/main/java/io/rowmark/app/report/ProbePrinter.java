package io.rowmark.app.report;

import io.rowmark.app.config.SecretMask;
import io.rowmark.merge.probe.Finding;
import io.rowmark.merge.probe.ProbeReport;
import java.io.PrintWriter;

/** Prints what a probe learnt of a catalog: one line for each experiment, then what follows. */
public final class ProbePrinter {
  private ProbePrinter() {}

  public static void print(ProbeReport report, PrintWriter out) {
    out.printf(
        "Catalog %s (%s), tried with scratch tables in namespace %s:%n",
        report.catalog(), report.kind(), report.namespace());
    for (Finding finding : report.findings()) {
      out.printf(
          "  %-9s  %s: %s%n",
          word(finding.verdict()),
          finding.experiment().tried(),
          SecretMask.withoutCredentials(finding.happened()));
    }
    out.printf(
        "Protocol of ingest: %s (%s).%n",
        report.protocol().label(),
        SecretMask.withoutCredentials(report.protocol().reason()).replaceAll("\\.$", ""));
    if (!report.protocol().advice().isEmpty()) {
      out.println(report.protocol().advice());
    }
    if (!report.left().isEmpty()) {
      out.println("Could not be removed; remove by hand:");
      report.left().forEach(line -> out.println("  " + SecretMask.withoutCredentials(line)));
    }
  }

  private static String word(Finding.Verdict verdict) {
    return switch (verdict) {
      case YES -> "yes";
      case NO -> "no";
      case WRONG -> "WRONG";
      case UNKNOWN -> "unknown";
      case NOT_TRIED -> "not tried";
    };
  }
}
