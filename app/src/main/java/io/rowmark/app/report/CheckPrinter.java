package io.rowmark.app.report;

import static io.rowmark.app.report.ReportPrinter.grouped;

import io.rowmark.formats.audit.AuditedSnapshot;
import io.rowmark.formats.audit.DataFileTotals;
import io.rowmark.formats.audit.DeadRows;
import io.rowmark.formats.audit.DeleteGroup;
import io.rowmark.formats.audit.DeletesPerFile.Bucket;
import io.rowmark.formats.audit.EqualityColumns;
import io.rowmark.formats.audit.Finding;
import io.rowmark.formats.audit.TableAudit;
import io.rowmark.formats.verdict.Ground;
import io.rowmark.formats.verdict.ReaderVerdict;
import io.rowmark.formats.verdict.Verdict;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints a check for people: the table, its deletes, what stands out, and the readers. */
public final class CheckPrinter {
  private final PrintWriter out;

  private CheckPrinter(PrintWriter out) {
    this.out = out;
  }

  public static void print(PrintWriter out, CheckReport report) {
    CheckPrinter printer = new CheckPrinter(out);
    TableAudit audit = report.audit();
    printer.table(audit.of());
    printer.data(audit);
    printer.deletes(audit);
    printer.findings(audit);
    printer.readers(report);
    out.flush();
  }

  private void table(AuditedSnapshot of) {
    out.printf("Table %s, format version %d%n", of.table(), of.formatVersion());
    if (of.snapshotId() == null) {
      out.println("  no snapshot: nothing was ever committed");
    } else {
      out.printf("  snapshot %d of %s%n", of.snapshotId(), of.committedAt());
    }
  }

  private void data(TableAudit audit) {
    DataFileTotals data = audit.data();
    out.printf(
        "  %s, %s rows, %s bytes; %s below %s bytes%n",
        count(data.files(), "data file"),
        grouped(data.records()),
        grouped(data.bytes()),
        grouped(data.smallFiles()),
        grouped(data.smallBelowBytes()));
    DeadRows dead = audit.deadRows();
    if (dead.isExact()) {
      out.printf("  dead rows: %s%s%n", grouped(dead.atLeast()), share(dead.atLeast(), data));
    } else {
      out.printf(
          "  dead rows: between %s%s and %s%s; manifests do not tell for %s%n",
          grouped(dead.atLeast()),
          share(dead.atLeast(), data),
          grouped(dead.atMost()),
          share(dead.atMost(), data),
          count(dead.unprovenFiles(), "data file"));
    }
  }

  private static String share(long rows, DataFileTotals data) {
    return data.records() == 0
        ? ""
        : String.format(Locale.ROOT, " (%.1f %%)", 100.0 * rows / data.records());
  }

  private void deletes(TableAudit audit) {
    out.println();
    if (audit.deletes().groups().isEmpty()) {
      out.println("No delete files");
      return;
    }
    out.println("Delete files");
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("kind", "scope", "spec", "partitions", "files", "records", "bytes"));
    audit.deletes().groups().forEach(group -> rows.add(row(group)));
    new TextTable(rows).print(out);
    for (EqualityColumns columns : audit.deletes().equalityColumns()) {
      out.printf(
          "  equality by %s: %s%n",
          String.join(", ", columns.columns()), count(columns.tally().files(), "file"));
    }
    out.printf(
        "  delete files for one data file: at most %s (%s)%n",
        grouped(audit.perDataFile().max()),
        audit.perDataFile().buckets().stream()
            .map(CheckPrinter::bucket)
            .collect(Collectors.joining(", ")));
  }

  private static List<String> row(DeleteGroup group) {
    return List.of(
        group.kind().text(),
        group.scope().name().toLowerCase(Locale.ROOT),
        Integer.toString(group.specId()),
        grouped(group.partitions()),
        grouped(group.tally().files()),
        grouped(group.tally().records()),
        grouped(group.tally().bytes()));
  }

  private static String bucket(Bucket bucket) {
    String range =
        bucket.from() == bucket.to()
            ? grouped(bucket.from())
            : grouped(bucket.from()) + " to " + grouped(bucket.to());
    return "%s: %s".formatted(range, count(bucket.dataFiles(), "data file"));
  }

  private void findings(TableAudit audit) {
    for (Finding.Gravity gravity : Finding.Gravity.values()) {
      List<Finding> findings =
          audit.findings().stream().filter(found -> found.kind().gravity() == gravity).toList();
      if (!findings.isEmpty()) {
        out.println();
        out.println(
            gravity == Finding.Gravity.VIOLATION
                ? "Against the Iceberg table spec"
                : "Worth knowing");
        findings.forEach(this::finding);
      }
    }
  }

  private void finding(Finding finding) {
    out.printf("  %s: %s%n", finding.kind().text(), grouped(finding.count()));
    for (Finding.Example example : finding.examples()) {
      if (example.dataFile() != null) {
        out.println("    " + example.dataFile());
      }
      if (example.deleteFile() != null) {
        out.println((example.dataFile() == null ? "    " : "      by ") + example.deleteFile());
      }
    }
  }

  private void readers(CheckReport report) {
    out.println();
    out.printf(
        "Readers, %s, by what was known on %s%n",
        switch (report.choice()) {
          case NAMED -> "as named";
          case TABLE -> "as the table declares them";
          case ALL_KNOWN -> "all that are known, as none is declared";
        },
        report.capabilitiesAsOf());
    report.verdicts().stream()
        .sorted(Comparator.comparing(verdict -> verdict.verdict().outcome()))
        .forEach(this::reader);
  }

  private void reader(ReaderVerdict judged) {
    out.printf("  %-10s  %s%n", judged.verdict().outcome().text(), name(judged));
    if (judged.verdict() instanceof Verdict.Readable readable) {
      abilities(readable);
    } else {
      obstacles(judged.verdict());
      judged.others().forEach(this::obstacles);
    }
  }

  private static String name(ReaderVerdict judged) {
    String name = judged.reader().text();
    if (name.equals(judged.heldTo())) {
      return name;
    }
    return judged.heldTo().equals(judged.reader().engine())
        ? name + " (held to what is known of all versions)"
        : "%s (held to what is known from %s on)".formatted(name, judged.heldTo());
  }

  /** Of a readable table the abilities are named in a line; JSON has their sources. */
  private void abilities(Verdict verdict) {
    if (!verdict.grounds().isEmpty()) {
      out.printf(
          "%14s%s%n",
          "", verdict.grounds().stream().map(Ground::reason).collect(Collectors.joining("; ")));
    }
  }

  private void obstacles(Verdict verdict) {
    for (Ground ground : verdict.grounds()) {
      String file = ground.file();
      out.printf("%14s%s%n", "", ground.reason());
      if (file != null) {
        String which = ground.files() == 1 ? "" : count(ground.files(), "file") + ", as ";
        out.printf("%16s%s%s%n", "", which, file);
      }
      if (ground.evidence() != null) {
        out.printf("%16ssource: %s%n", "", ground.evidence().text());
      }
    }
  }

  private static String count(long number, String what) {
    return "%s %s".formatted(grouped(number), number == 1 ? what : what + "s");
  }
}
