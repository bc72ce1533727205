package io.rowmark.app.report;

import io.rowmark.formats.capability.Evidence;
import io.rowmark.formats.delete.Conflict;
import io.rowmark.formats.delete.DeleteDecision;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.delete.Remedy;
import io.rowmark.formats.delete.Ruling;
import io.rowmark.merge.plan.BatchPlan;
import io.rowmark.merge.plan.BatchPlan.PlannedTable;
import io.rowmark.merge.plan.IndexReads;
import io.rowmark.merge.plan.PlanStep;
import io.rowmark.merge.plan.PlanStep.Consent;
import io.rowmark.merge.plan.TablePlan;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints a plan for people: per table the decision with its reasons, the steps, the reads. */
public final class PlanPrinter {
  private final PrintWriter out;

  private PlanPrinter(PrintWriter out) {
    this.out = out;
  }

  public static void print(PrintWriter out, BatchPlan plan) {
    new PlanPrinter(out).print(plan);
  }

  private void print(BatchPlan plan) {
    out.printf("Plan of pipeline %s%n", plan.pipeline());
    out.printf("  commit     %s: %s%n", plan.protocol(), plan.protocolReason());
    plan.tables().forEach(this::print);
  }

  private void print(PlannedTable table) {
    TablePlan plan = table.plan();
    out.println();
    out.printf("Table %s%n", plan.spec().table());
    out.printf(
        "  readers    %s%n",
        String.join(
            ", ",
            plan.spec().readers().audience().readers().stream()
                .map(reader -> reader.text())
                .toList()));
    DeleteDecision decision = plan.decision();
    if (decision == null) {
      out.printf("  deletes    none: append-only, format version %d%n", plan.formatVersion());
    } else {
      print(decision);
    }
    out.printf("  input      %,d files, %,d bytes%n", table.inputFiles(), table.inputBytes());
    steps(plan);
    IndexReads reads = table.index();
    switch (reads.basis()) {
      case NOTHING -> {}
      case WAITING_KEYS ->
          out.printf(
              "  index      expected to read %,d of %,d files, %,d of %,d bytes, by the keys that wait%n",
              reads.files(), reads.wholeFiles(), reads.bytes(), reads.wholeBytes());
      case WHOLE_INDEX ->
          out.printf(
              "  index      reads at most %,d files, %,d bytes%n", reads.files(), reads.bytes());
    }
  }

  private void print(DeleteDecision decision) {
    if (decision instanceof DeleteDecision.Fits fits) {
      out.printf(
          "  deletes    %s, format version %d%n", fits.format().text(), fits.formatVersion());
    } else {
      out.println("  deletes    no format suits everyone");
    }
    for (DeleteFormat format : DeleteFormat.values()) {
      print(format, decision.rulings());
    }
    if (decision instanceof DeleteDecision.NoneFits none) {
      for (Conflict conflict : none.conflicts()) {
        out.printf("  conflict   %s%n", conflict.text());
      }
      for (Remedy remedy : none.remedies()) {
        out.printf("  remedy     %s%n", remedy.text());
      }
    }
  }

  private void print(DeleteFormat format, List<Ruling> rulings) {
    List<Ruling> against =
        rulings.stream().filter(one -> one.format() == format && one.rulesOut()).toList();
    if (against.isEmpty()) {
      out.printf("    %-16s accepted by all%n", format.text());
    }
    for (Ruling ruling : against) {
      out.printf(
          "    %-16s ruled out: %s %s%s%n",
          format.text(), ruling.party().text(), ruling.reason(), source(ruling.evidence()));
    }
  }

  private static String source(@Nullable Evidence evidence) {
    return evidence == null ? "" : " [%s]".formatted(evidence.text());
  }

  private void steps(TablePlan plan) {
    if (plan.steps().isEmpty()) {
      out.println("  steps      none before the batch");
    }
    int number = 1;
    for (PlanStep step : plan.steps()) {
      String consent = step.consent() == Consent.NEEDED ? " (only by plan --apply)" : "";
      out.printf("  step %d     %s%s%n", number++, step.text(), consent);
    }
  }
}
