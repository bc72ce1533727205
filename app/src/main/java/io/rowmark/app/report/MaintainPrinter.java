package io.rowmark.app.report;

import io.rowmark.formats.upkeep.ReadLoad;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.maintain.ExpiryPlan;
import io.rowmark.merge.maintain.ExpiryReport;
import io.rowmark.merge.maintain.MaintainListener;
import io.rowmark.merge.maintain.MaintainOutlook;
import io.rowmark.merge.maintain.MaintainReport;
import io.rowmark.merge.maintain.OrphanReport;
import io.rowmark.merge.maintain.PlannedStep;
import io.rowmark.merge.maintain.StepReport;
import io.rowmark.merge.maintain.TableLoad;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Prints maintenance for people: what a scan reads, what is to be done, and what came of it. */
public final class MaintainPrinter implements MaintainListener {
  private static final int MOST_ORPHANS = 20;

  private final PrintWriter out;

  public MaintainPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begins(MaintainOutlook outlook) {
    line("Table %s, format version %d", outlook.table(), outlook.formatVersion());
    for (TableLoad load : outlook.loads()) {
      line("  now        %s: %s", load.table(), text(load.now()));
      if (!load.predicted().equals(load.now())) {
        line("  predicted  %s: %s", load.table(), text(load.predicted()));
      }
    }
    outlook.steps().forEach(step -> line("  to do      %s", text(step)));
    outlook.expiries().forEach(plan -> line("  to expire  %s", text(plan)));
    outlook.notes().forEach(note -> line("  %s", note));
    if (outlook.isEmpty()) {
      line("  nothing to do");
    }
    out.flush();
  }

  private static String text(ReadLoad load) {
    return format(
        "a scan opens %,d files and reads %,d bytes, %.2f for each byte of live rows, and %,d rows, %.2f for each live one (%,d data files, %,d delete files)",
        load.filesOpened(),
        load.dataBytes() + load.deleteBytes(),
        load.byteAmplification(),
        load.rows(),
        load.rowAmplification(),
        load.dataFiles(),
        load.deleteFiles());
  }

  private static String text(PlannedStep step) {
    return switch (step.kind()) {
      case DROP ->
          format(
              "drop %,d data files without a live row, %,d bytes, and %,d delete files that hide nothing else",
              step.filesIn(), step.bytes(), step.deleteFiles());
      case REWRITE ->
          format(
              "rewrite %,d data files with %,d dead rows, %,d bytes, to %,d",
              step.filesIn(), step.deadRows(), step.bytes(), step.filesOut());
      case FORGET -> format("forget deleted keys of %s", step.table());
      case MERGE ->
          format(
              "merge %,d files of %s, %,d bytes, to %,d",
              step.filesIn(), step.table(), step.bytes(), step.filesOut());
    };
  }

  private static String text(ExpiryPlan plan) {
    if (plan.refusal() != null) {
      return format("%s: no snapshot, since %s", plan.table(), plan.refusal());
    }
    return format(
        "%s: %,d of %,d snapshots%s",
        plan.table(),
        plan.expired(),
        plan.snapshots(),
        plan.floor() == null ? "" : "; " + plan.floor());
  }

  @Override
  public void committed(StepReport step) {
    line("  done %9s  %s%s", seconds(step.millis()), text(step), attempts(step.attempts()));
    out.flush();
  }

  private static String text(StepReport step) {
    return switch (step.kind()) {
      case DROP ->
          format(
              "dropped %,d data files without a live row, %,d bytes, and %,d delete files",
              step.filesIn(), step.bytesIn(), step.deleteFiles());
      case REWRITE ->
          format(
              "rewrote %,d data files to %,d, %,d bytes to %,d; %,d rows moved, %,d delete files gone",
              step.filesIn(),
              step.filesOut(),
              step.bytesIn(),
              step.bytesOut(),
              step.rows(),
              step.deleteFiles());
      case FORGET -> format("%s forgot %,d deleted keys", step.table(), step.rows());
      case MERGE ->
          format(
              "merged %,d files of %s to %,d; %,d delete files gone",
              step.filesIn(), step.table(), step.filesOut(), step.deleteFiles());
    };
  }

  private static String attempts(int attempts) {
    return attempts == 1 ? "" : "; %d attempts".formatted(attempts);
  }

  @Override
  public void expired(ExpiryReport done) {
    if (done.plan().expired() == 0) {
      return;
    }
    line(
        "  done %9s  expired %,d snapshots of %s; %,d data files, %,d delete files and %,d metadata files removed",
        seconds(done.millis()),
        done.snapshots(),
        done.plan().table(),
        done.dataFiles(),
        done.deleteFiles(),
        done.metadataFiles());
    out.flush();
  }

  @Override
  public void listed(OrphanReport found) {
    if (found.files().isEmpty()) {
      return;
    }
    line(
        "  %s: %,d files that no snapshot names, unchanged since %s; none was removed",
        found.table(), found.files().size(), found.unchangedSince());
    found.files().stream().limit(MOST_ORPHANS).forEach(file -> line("    %s", file));
    if (found.files().size() > MOST_ORPHANS) {
      line("    and %,d more (--json lists all)", found.files().size() - MOST_ORPHANS);
    }
    out.flush();
  }

  @Override
  public void reached(StepListener.Checkpoint checkpoint) {
    // nothing that people need to know
  }

  /** Prints what became of each table. */
  public void end(List<MaintainReport> reports) {
    for (MaintainReport report : reports) {
      report.notes().forEach(note -> line("  %s", note));
      line("%s: %s", report.before().table(), outcome(report));
      for (TableLoad load : report.after().loads()) {
        line("  now        %s: %s", load.table(), text(load.now()));
      }
    }
    out.flush();
  }

  private static String outcome(MaintainReport report) {
    int commits = report.steps().size();
    long expired = report.expiries().stream().mapToLong(ExpiryReport::snapshots).sum();
    String time = seconds(report.millis());
    String did =
        commits == 0 && expired == 0
            ? "nothing was written (%s)".formatted(time)
            : "%d %s, %,d snapshots expired in %s"
                .formatted(commits, commits == 1 ? "commit" : "commits", expired, time);
    return report.after().isEmpty()
        ? did + ", nothing is left to do."
        : did + ". Run again for what is left or came meanwhile.";
  }

  private static String seconds(long millis) {
    return StepPrinter.seconds(Duration.ofMillis(millis));
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private void line(String format, Object... values) {
    out.println(format(format, values));
  }
}
