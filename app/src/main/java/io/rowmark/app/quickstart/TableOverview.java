package io.rowmark.app.quickstart;

import io.rowmark.app.report.ReportPrinter;
import io.rowmark.app.report.TextTable;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.spark.sql.SparkSession;

/** What lies in each table of a pipeline now: rows, files, deletes by kind, and its index. */
record TableOverview(List<Line> lines) {
  private static final List<String> HEAD =
      List.of(
          "table",
          "rows",
          "data files",
          "deletion vectors",
          "position deletes",
          "equality deletes",
          "dead rows",
          "index entries",
          "index bytes",
          "bytes/row");

  /** Live files of one table in its current snapshot. */
  record Files(long data, long bytes, long vectors, long positions, long equalities, long dead) {}

  /**
   * One table.
   *
   * @param indexEntries live entries of its index; zero for a table without one
   * @param indexBytes size of the index's data files
   */
  record Line(String table, long rows, Files files, long indexEntries, long indexBytes) {
    private List<String> cells() {
      List<String> cells = new ArrayList<>(List.of(table));
      for (long count :
          new long[] {
            rows,
            files.data,
            files.vectors,
            files.positions,
            files.equalities,
            files.dead,
            indexEntries,
            indexBytes
          }) {
        cells.add(ReportPrinter.grouped(count));
      }
      cells.add(
          indexEntries == 0
              ? "-"
              : String.format(Locale.ROOT, "%.1f", indexBytes / (double) indexEntries));
      return cells;
    }
  }

  static TableOverview of(PipelineSpec pipeline, Catalog catalog, SparkSession session) {
    List<Line> lines = new ArrayList<>();
    for (TableSpec table : pipeline.tables()) {
      lines.add(line(pipeline, table, catalog, session));
    }
    return new TableOverview(lines);
  }

  private static Line line(
      PipelineSpec pipeline, TableSpec table, Catalog catalog, SparkSession session) {
    String prefix = pipeline.catalog().name() + ".";
    long rows = session.table(prefix + table.table()).count();
    Files files = files(catalog, table.table());
    String index = table.table() + pipeline.index().suffix();
    boolean keyed = table.isKeyed();
    if (!keyed || !catalog.tableExists(TableIdentifier.parse(index))) {
      return new Line(table.table(), rows, files, 0, 0);
    }
    long entries = session.table(prefix + index).where("data_file is not null").count();
    return new Line(table.table(), rows, files, entries, files(catalog, index).bytes());
  }

  private static Files files(Catalog catalog, String name) {
    Table table = catalog.loadTable(TableIdentifier.parse(name));
    long data = 0;
    long bytes = 0;
    Set<DeleteKey> seen = new HashSet<>();
    long vectors = 0;
    long positions = 0;
    long equalities = 0;
    long dead = 0;
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        data++;
        bytes += task.file().fileSizeInBytes();
        for (DeleteFile delete : task.deletes()) {
          if (seen.add(DeleteKey.of(delete))) {
            boolean equality = delete.content() == FileContent.EQUALITY_DELETES;
            boolean vector = delete.format() == FileFormat.PUFFIN;
            equalities += equality ? 1 : 0;
            vectors += vector ? 1 : 0;
            positions += equality || vector ? 0 : 1;
            dead += equality ? 0 : delete.recordCount();
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Files(data, bytes, vectors, positions, equalities, dead);
  }

  /** Several deletion vectors may lie in one Puffin file. */
  private record DeleteKey(String location, long offset) {
    static DeleteKey of(DeleteFile delete) {
      Long offset = delete.contentOffset();
      return new DeleteKey(delete.location(), offset == null ? -1 : offset);
    }
  }

  void print(PrintWriter out) {
    List<List<String>> rows = new ArrayList<>(List.of(HEAD));
    lines.forEach(line -> rows.add(line.cells()));
    new TextTable(rows).print(out);
  }
}
