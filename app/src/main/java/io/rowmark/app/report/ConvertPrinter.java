package io.rowmark.app.report;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.index.convert.ConversionOutlook;
import io.rowmark.index.convert.ConversionReport;
import io.rowmark.index.convert.SliceReport;
import io.rowmark.index.publish.PublishOutlook;
import io.rowmark.index.publish.PublishReport;
import io.rowmark.merge.convert.ConvertListener;
import io.rowmark.merge.convert.ConvertOutlook;
import io.rowmark.merge.convert.ConvertReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Prints a conversion for people: what is to be done, one line for each commit, what is left. */
public final class ConvertPrinter implements ConvertListener {
  private final PrintWriter out;

  public ConvertPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begins(ConvertOutlook outlook) {
    ConversionOutlook conversion = outlook.conversion();
    PublishOutlook publication = outlook.publication();
    if (conversion != null) {
      line("Table %s, format version %d", outlook.table(), outlook.formatVersion());
      todo(conversion);
    } else if (publication != null) {
      line(
          "Table %s, format version %d: branch %s shows branch %s with %s",
          outlook.table(),
          outlook.formatVersion(),
          publication.branches().to(),
          publication.branches().from(),
          plural(outlook.to()));
      todo(publication);
    }
    out.flush();
  }

  private void todo(ConversionOutlook todo) {
    if (todo.isEmpty()) {
      line("  nothing to do: every delete is by %s already", form(todo.to()));
      return;
    }
    for (ConversionOutlook.Kind kind : todo.kinds()) {
      line(
          "  to convert  %,d %s delete files with %,d records, %,d bytes",
          kind.files(), kind.kind().text(), kind.records(), kind.bytes());
    }
    line(
        "  they reach  %,d data files with %,d rows, %,d bytes; key values are read of %,d bytes",
        todo.dataFiles(), todo.rows(), todo.bytes(), todo.bytesToCompare());
    line("  they become %s", plural(todo.to()));
  }

  private void todo(PublishOutlook todo) {
    if (todo.isEmpty()) {
      line("  nothing to do: snapshot %d is shown", todo.source());
      return;
    }
    line(
        "  to publish  snapshot %d%s",
        todo.source(),
        todo.shown() == null ? "" : "; snapshot %d is shown".formatted(todo.shown()));
    line(
        "  data files  %,d new, %,d gone, %,d with deletes to be worked out; key values are read of %,d bytes",
        todo.filesNew(), todo.filesGone(), todo.filesToResolve(), todo.bytesToCompare());
    if (todo.comparedAll() != null) {
      line("  all files are compared: %s", todo.comparedAll());
    }
  }

  @Override
  public void committed(SliceReport slice) {
    ConversionReport counts = slice.counts();
    line(
        "  slice %-4d %9s  %,d data files, %,d bytes; %,d rows hidden by position, %,d files dropped; delete files %,d in, %,d out; %,d data files left%s",
        slice.number(),
        StepPrinter.seconds(Duration.ofMillis(slice.millis())),
        counts.dataFiles(),
        slice.bytes(),
        counts.rowsHidden(),
        counts.dropped(),
        counts.deleteFilesAdded(),
        counts.deleteFilesRemoved(),
        slice.filesLeft(),
        attempts(slice.attempts()));
    out.flush();
  }

  @Override
  public void published(PublishReport done) {
    line(
        "  commit %-3d %9s  snapshot %d%s; data files %,d added, %,d removed, %,d masked; %,d rows hidden by position, %,d delete files%s",
        done.number(),
        StepPrinter.seconds(Duration.ofMillis(done.millis())),
        done.source(),
        done.sourceSnapshots() > 1 ? " (%,d together)".formatted(done.sourceSnapshots()) : "",
        done.filesAdded(),
        done.filesRemoved(),
        done.filesMasked(),
        done.rowsHidden(),
        done.deleteFilesAdded(),
        attempts(done.attempts()));
    out.flush();
  }

  private static String attempts(int attempts) {
    return attempts == 1 ? "" : "; %d attempts".formatted(attempts);
  }

  /** Prints what became of each table. */
  public void end(List<ConvertReport> reports) {
    for (ConvertReport report : reports) {
      report.notes().forEach(note -> line("  %s: %s", report.before().table(), note));
      line("%s: %s", report.before().table(), outcome(report));
    }
    out.flush();
  }

  private static String outcome(ConvertReport report) {
    String time = StepPrinter.seconds(Duration.ofMillis(report.millis()));
    int commits = report.slices().size() + report.publications().size();
    if (commits == 0) {
      return "nothing was to be done, nothing was written (%s).".formatted(time);
    }
    String did = "%d %s in %s".formatted(commits, commits == 1 ? "commit" : "commits", time);
    return report.after().isEmpty()
        ? did + ", nothing is left to do."
        : did + ". Run again for what is left or came meanwhile.";
  }

  private static String form(DeleteFormat format) {
    return format == DeleteFormat.DELETION_VECTOR ? "deletion vector" : "position";
  }

  private static String plural(DeleteFormat format) {
    return format == DeleteFormat.DELETION_VECTOR ? "deletion vectors" : "position deletes";
  }

  private void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
