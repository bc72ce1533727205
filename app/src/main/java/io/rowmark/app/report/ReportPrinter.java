package io.rowmark.app.report;

import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.TableReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Prints the end of a run: one table of counts, then what a person should know. */
public final class ReportPrinter {
  private ReportPrinter() {}

  public static void print(PrintWriter out, BatchReport report) {
    out.println(headline(report));
    report.again().forEach(next -> out.println("  " + next.text()));
    report.inputs().notes().forEach(note -> out.println("  inputs: " + note));
    if (!report.tables().isEmpty()) {
      counts(report.tables()).print(out);
      report.tables().forEach(table -> remarks(out, table));
    }
    out.flush();
  }

  /** The whole batch in one line; below it only what a person should know. */
  public static void printLine(PrintWriter out, BatchReport report) {
    String line = headline(report);
    if (!report.tables().isEmpty()) {
      line =
          "%s: %s, %s."
              .formatted(
                  line.substring(0, line.length() - 1),
                  counted(sum(report, "input-files"), "input"),
                  counted(sum(report, "events"), "event"));
    }
    out.println(line);
    report.again().forEach(next -> out.println("  " + next.text()));
    report.inputs().notes().forEach(note -> out.println("  inputs: " + note));
    for (TableReport table : report.tables()) {
      each(out, table, "rejected", table.rejected());
      table.notes().forEach(note -> out.printf("  %s: %s%n", table.table(), note));
    }
    out.flush();
  }

  private static String counted(long count, String what) {
    return grouped(count) + " " + what + (count == 1 ? "" : "s");
  }

  private static long sum(BatchReport report, String name) {
    return report.tables().stream().mapToLong(table -> count(table, name)).sum();
  }

  private static String headline(BatchReport report) {
    String time = StepPrinter.seconds(Duration.ofMillis(report.millis()));
    return switch (report.outcome()) {
      case COMMITTED ->
          "Committed batch %s of pipeline %s (%s, %s) in %s."
              .formatted(
                  report.batchId(),
                  report.pipeline(),
                  report.protocol(),
                  report.attempts() == 1 ? "1 attempt" : report.attempts() + " attempts",
                  time);
      case NOTHING_NEW ->
          "Nothing new for pipeline %s: every input is in its ledger. Nothing was written (%s)."
              .formatted(report.pipeline(), time);
      case ALREADY_COMMITTED ->
          "Batch %s of pipeline %s was committed before. Nothing was written (%s)."
              .formatted(report.batchId(), report.pipeline(), time);
      case FAILED -> "Pipeline %s failed after %s.".formatted(report.pipeline(), time);
    };
  }

  /** Counts that are zero for every table are left out. */
  private static TextTable counts(List<TableReport> tables) {
    Set<String> names = new LinkedHashSet<>();
    for (TableReport table : tables) {
      table.counts().keySet().stream()
          .filter(name -> tables.stream().anyMatch(other -> count(other, name) != 0))
          .forEach(names::add);
    }
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("table"));
    head.addAll(names);
    rows.add(head);
    for (TableReport table : tables) {
      List<String> row = new ArrayList<>(List.of(table.table()));
      names.forEach(name -> row.add(grouped(count(table, name))));
      rows.add(row);
    }
    return new TextTable(rows);
  }

  private static long count(TableReport table, String name) {
    return table.counts().getOrDefault(name, 0L);
  }

  private static void remarks(PrintWriter out, TableReport table) {
    each(out, table, "left out", table.skipped());
    each(out, table, "rejected", table.rejected());
    table.notes().forEach(note -> out.printf("  %s: %s%n", table.table(), note));
  }

  private static void each(
      PrintWriter out, TableReport table, String what, Map<String, Long> byReason) {
    byReason.forEach(
        (reason, count) -> {
          if (count != 0) {
            out.printf("  %s: %s %s: %s%n", table.table(), grouped(count), what, reason);
          }
        });
  }

  /** A number for people: {@code 1,234,567}. */
  public static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
