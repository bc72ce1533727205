package io.rowmark.app.report;

import io.rowmark.merge.replay.ReplayPlan;
import io.rowmark.merge.replay.ReplayPlan.Input;
import io.rowmark.merge.replay.ReplayPlan.Step;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints what a replay would do. */
public final class ReplayPrinter {
  private ReplayPrinter() {}

  public static void print(PrintWriter out, ReplayPlan plan) {
    out.printf(
        Locale.ROOT,
        "A replay would bring %,d inputs, %,d bytes, in %,d batches:%n",
        plan.inputs(),
        plan.bytes(),
        plan.steps().size());
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("batch", "recorded", "table", "input", "bytes", "file", "in the table"));
    for (Step step : plan.steps()) {
      step.inputs().forEach(input -> rows.add(row(step, input)));
    }
    new TextTable(rows).print(out);
    plan.setBacks()
        .forEach(
            setBack ->
                out.printf(
                    "Index %s would be set back to snapshot %d, to forget what its table lost.%n",
                    setBack.index(), setBack.snapshot()));
    plan.refusals().forEach(refusal -> out.println("Refused: " + refusal.text()));
    if (plan.refusals().isEmpty()) {
      out.println("Nothing was changed; --apply does it.");
    }
    out.flush();
  }

  private static List<String> row(Step step, Input input) {
    return List.of(
        step.of(),
        step.recorded().toString(),
        input.table(),
        input.name(),
        ReportPrinter.grouped(input.size()),
        switch (input.found()) {
          case THERE -> "there";
          case MISSING -> "missing";
          case OTHER_SIZE -> "of another size";
        },
        switch (input.kept()) {
          case YES -> "yes";
          case LOST -> "lost";
          case UNKNOWN -> "unknown";
          case NEVER_TAKEN -> "passed over";
        });
  }
}
