package io.rowmark.integration.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.index.IndexedTable;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.index.verify.VerifyReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ContentFileUtil;

/** What must hold of a table and its index after every batch. */
final class TableOracle {
  private TableOracle() {}

  /**
   * Live files of a table.
   *
   * @param records rows in the data files, the deleted ones too
   * @param dead rows that the deletes hide
   */
  record Files(long data, long records, long deletes, long dead) {
    long live() {
      return records - dead;
    }
  }

  /** Index and table agree, and the deletes of both have the decided form. */
  static void check(ShopRun run, String name) {
    List<String> key = run.spec(name).key();
    String index = name + run.config().pipeline().index().suffix();
    VerifyReport report =
        IndexVerifier.verify(
            run.spark(),
            new IndexedTable(
                run.catalog(),
                run.config().pipeline().catalog().name(),
                ShopRun.id(name),
                ShopRun.id(index),
                key));
    assertThat(report.differences()).as("index of %s against its table", name).isEmpty();
    assertThat(report.agrees()).isTrue();
    assertThat(report.entriesInIndex()).isEqualTo(report.rowsInTable());
    assertThat(files(run.table(name)).live())
        .as("records less deleted positions in %s", name)
        .isEqualTo(report.rowsInTable());
    files(run.table(index));
  }

  /** Counts the files, and proves on the way that each delete has the form of the table's format. */
  static Files files(Table table) {
    int version = TableUtil.formatVersion(table);
    FileFormat form = version >= 3 ? FileFormat.PUFFIN : FileFormat.PARQUET;
    Set<String> places = new HashSet<>();
    long data = 0;
    long records = 0;
    long dead = 0;
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        String file = task.file().location();
        assertThat(task.deletes()).as("deletes of %s", file).hasSizeLessThanOrEqualTo(1);
        data++;
        records += task.file().recordCount();
        for (DeleteFile delete : task.deletes()) {
          assertThat(delete.content()).isEqualTo(FileContent.POSITION_DELETES);
          assertThat(delete.format()).as("delete of %s", file).isEqualTo(form);
          assertThat(ContentFileUtil.referencedDataFile(delete)).asString().isEqualTo(file);
          assertThat(delete.recordCount())
              .as("dead rows of %s; a file that is all dead is dropped", file)
              .isLessThan(task.file().recordCount());
          assertThat(places.add(delete.location() + "#" + delete.contentOffset())).isTrue();
          dead += delete.recordCount();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Files(data, records, places.size(), dead);
  }
}
