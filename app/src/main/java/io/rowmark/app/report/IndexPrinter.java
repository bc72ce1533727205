package io.rowmark.app.report;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.index.duplicates.DuplicateReport;
import io.rowmark.index.history.KeyHistory;
import io.rowmark.index.history.Stay;
import io.rowmark.index.lookup.IndexEntry;
import io.rowmark.index.repair.RepairReport;
import io.rowmark.index.repair.RepairReport.Mended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What is known of an index, for people. */
public final class IndexPrinter {
  private IndexPrinter() {}

  /** Of a repair. */
  public static String repair(RepairReport report) {
    List<String> lines = new ArrayList<>();
    report.differences().forEach(difference -> lines.add("  " + difference.detail()));
    report
        .kinds()
        .forEach(
            (kind, count) ->
                lines.add("%s: %s".formatted(kind.meaning(), ReportPrinter.grouped(count))));
    if (!report.duplicates().isEmpty()) {
      lines.add("Deleted from table %s: %s".formatted(report.table(), report.duplicates().text()));
    }
    lines.add(end(report));
    return String.join(System.lineSeparator(), lines);
  }

  private static String end(RepairReport report) {
    String seconds = StepPrinter.seconds(Duration.ofMillis(report.millis()));
    Mended mended = report.mended();
    if (mended == null) {
      return switch (report.outcome()) {
        case SOUND, MENDED ->
            "Index %s matches table %s; nothing was done, in %s."
                .formatted(report.index(), report.table(), seconds);
        case DIFFERS ->
            "Index %s does not match table %s; nothing was changed, in %s."
                .formatted(report.index(), report.table(), seconds);
      };
    }
    return "Mended index %s: %s entries dropped, %s added, %s bytes written; the mended keys were compared with %s data files once more and agree; in %s."
        .formatted(
            report.index(),
            ReportPrinter.grouped(mended.entriesDropped()),
            ReportPrinter.grouped(mended.entriesAdded() + mended.tombstones()),
            ReportPrinter.grouped(mended.bytes()),
            ReportPrinter.grouped(mended.filesReadAgain()),
            seconds);
  }

  /** Of a search for repeated keys. */
  public static String duplicates(DuplicateReport report) {
    if (report.duplicates().isEmpty()) {
      return "Table %s: no key has several rows; %s data files were read, in %s."
          .formatted(
              report.table(),
              ReportPrinter.grouped(report.filesRead()),
              StepPrinter.seconds(Duration.ofMillis(report.millis())));
    }
    List<String> lines = new ArrayList<>();
    report.duplicates().examples().forEach(place -> lines.add("  " + place.text()));
    lines.add(
        "Table %s: %s keys have several rows, %s besides the newest of each."
            .formatted(
                report.table(),
                ReportPrinter.grouped(report.duplicates().keys()),
                ReportPrinter.grouped(report.duplicates().rows())));
    return String.join(System.lineSeparator(), lines);
  }

  /** Of one key. */
  public static String history(KeyHistory history) {
    List<String> lines = new ArrayList<>();
    history.stays().forEach(stay -> lines.add(line(stay)));
    if (history.stays().isEmpty()) {
      lines.add("Index %s has no snapshot that tells.".formatted(history.index()));
    } else {
      Stay oldest = history.stays().get(0);
      lines.add(
          "Index %s keeps %d snapshots, back to %s (snapshot %s of table %s)."
              .formatted(
                  history.index(),
                  history.snapshots(),
                  oldest.at(),
                  oldest.since(),
                  history.table()));
    }
    if (history.silent() > 0) {
      lines.add(
          "%d snapshots of the index in between do not say which state of the table they describe."
              .formatted(history.silent()));
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static String line(Stay stay) {
    String what =
        stay.entries().isEmpty()
            ? "no row"
            : stay.entries().stream()
                .map(IndexPrinter::entry)
                .collect(Collectors.joining("; and "));
    return "%s  snapshot %s to %s: %s (%s)"
        .formatted(
            stay.at(),
            stay.since(),
            stay.until(),
            what,
            stay.batchId() == null ? "no batch" : "batch " + stay.batchId());
  }

  private static String entry(IndexEntry entry) {
    byte[] order = entry.changeOrder();
    String place =
        entry.dataFile() == null
            ? "deleted"
            : "position %d of %s".formatted(entry.position(), entry.dataFile());
    return order == null ? place : place + ", order " + ChangeOrder.describe(order);
  }
}
