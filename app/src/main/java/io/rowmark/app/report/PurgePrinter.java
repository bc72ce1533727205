package io.rowmark.app.report;

import io.rowmark.index.purge.KeyHolder;
import io.rowmark.index.purge.TableProof;
import io.rowmark.merge.purge.ProofReport;
import io.rowmark.merge.purge.PurgeReport;
import io.rowmark.merge.purge.PurgeReport.Done;
import io.rowmark.merge.purge.PurgeReport.Found;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints purges and proofs for people: counts, files and snapshots, never a key. */
public final class PurgePrinter {
  private static final int MOST_SNAPSHOTS = 5;

  private final PrintWriter out;

  /** Whether something may have been changed. */
  public enum Run {
    REAL,
    DRY
  }

  public PurgePrinter(PrintWriter out) {
    this.out = out;
  }

  /** Whether readers of the main branch still meet a file. */
  public static boolean isLive(KeyHolder holder) {
    return holder.state() == KeyHolder.State.LIVE;
  }

  public void print(PurgeReport report, Run run) {
    line("Table %s, %,d %s", report.table(), report.keys(), report.keys() == 1 ? "key" : "keys");
    report.notes().forEach(note -> line("  first          %s", note));
    found(report);
    Done done = report.done();
    if (done != null) {
      done(report, done);
    }
    retained(report.retained());
    report.gaps().forEach(gap -> line("  not looked at  %s", gap));
    report.elsewhere().forEach(place -> line("  look also at   %s", place));
    line("%s: %s", report.table(), outcome(report, run));
    out.flush();
  }

  private void found(PurgeReport report) {
    Found found = report.found();
    line(
        "  in the table   %,d rows, and %,d deleted ones that still lie in live files; in %,d data files, of %,d whose keys were read (%,d bytes)",
        found.rows(), found.deadRows(), found.dataFiles(), found.filesRead(), found.bytesRead());
    if (found.deleteFiles() > 0) {
      line("  in deletes     %,d equality delete files", found.deleteFiles());
    }
    if (report.index() != null) {
      line(
          "  in the index   %,d entries, %,d of deleted keys, and %,d deleted ones that still lie there; in %,d index files, of %,d whose keys were read",
          found.entries(),
          found.tombstones(),
          found.deadEntries(),
          found.indexFiles(),
          found.indexFilesRead());
    }
  }

  private void done(PurgeReport report, Done done) {
    line(
        "  written        %,d data files in the place of %,d, with %,d rows that stay%s; %,d bytes%s",
        done.dataFilesAdded(),
        done.dataFilesRemoved(),
        done.rowsKept(),
        report.index() == null
            ? ""
            : "; %,d index files in the place of %,d, %,d entries moved"
                .formatted(done.indexFilesAdded(), done.indexFilesRemoved(), done.entriesMoved()),
        done.bytesWritten(),
        done.attempts() == 1 ? "" : "; %d attempts".formatted(done.attempts()));
    line(
        "  commit         %s, %s: snapshot %d of the table%s",
        done.id(),
        done.protocol(),
        done.dataSnapshot(),
        done.indexSnapshot() == null ? "" : ", %d of its index".formatted(done.indexSnapshot()));
  }

  private void retained(List<KeyHolder> holders) {
    if (!holders.isEmpty()) {
      line("  still retained %,d files that hold a key:", holders.size());
      holders.forEach(this::holder);
    }
  }

  private void holder(KeyHolder holder) {
    String snapshots =
        holder.snapshots().stream()
            .limit(MOST_SNAPSHOTS)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    int more = holder.snapshots().size() - MOST_SNAPSHOTS;
    line(
        "    %s (%s): %s by %s %s%s%s",
        holder.location(),
        kind(holder),
        isLive(holder) ? "live, and named" : "still retained",
        holder.snapshots().size() == 1 ? "snapshot" : "snapshots",
        snapshots,
        more > 0 ? " and %,d more".formatted(more) : "",
        holder.refs().isEmpty() ? "" : "; " + String.join(", ", holder.refs()));
  }

  private static String kind(KeyHolder holder) {
    return switch (holder.kind()) {
      case ROWS -> holder.table() + ", rows";
      case EQUALITY_DELETES -> holder.table() + ", equality deletes";
      case POSITION_DELETES_WITH_ROWS -> holder.table() + ", position deletes with rows";
    };
  }

  private static String outcome(PurgeReport report, Run run) {
    String time = StepPrinter.seconds(Duration.ofMillis(report.millis()));
    if (run == Run.DRY) {
      return report.found().isEmpty()
          ? "no live file holds one of the keys; a purge would write nothing (%s).".formatted(time)
          : "a purge would take them out of these files; nothing was changed (%s).".formatted(time);
    }
    String did =
        report.done() == null
            ? "no live file holds one of the keys, nothing was written (%s).".formatted(time)
            : "purged in %s.".formatted(time);
    return report.retained().isEmpty()
        ? did
        : did
            + " Expire the snapshots of the table and of its index, then run the same with --prove.";
  }

  public void print(ProofReport report) {
    line("Table %s, %,d %s", report.table(), report.keys(), report.keys() == 1 ? "key" : "keys");
    for (TableProof proof : report.tables()) {
      line(
          "  %s: %,d snapshots name %,d files, %,d were read (%,d bytes), the others cannot hold a key; %,d hold one",
          proof.table(),
          proof.snapshots(),
          proof.files(),
          proof.filesRead(),
          proof.bytesRead(),
          proof.holders().size());
      proof.holders().forEach(this::holder);
      proof.gaps().forEach(gap -> line("  not looked at  %s", gap));
    }
    report.elsewhere().forEach(place -> line("  look also at   %s", place));
    line(
        "%s: %s (%s).",
        report.table(),
        report.isProven() ? "no file that a snapshot names holds one of the keys" : "not proven",
        StepPrinter.seconds(Duration.ofMillis(report.millis())));
    out.flush();
  }

  private void line(String format, @org.jspecify.annotations.Nullable Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
