package io.rowmark.index.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexCarry;
import io.rowmark.index.IndexTables;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.testing.DeleteFileKinds;
import io.rowmark.index.testing.IndexAssertions;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.StreamingWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.DataWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

class TestTableConversion {
  private static final SparkSession SPARK = LocalSpark.session();
  private static final int ATTEMPTS = 3;

  @TempDir Path folder;
  private IndexFixture table;

  @BeforeEach
  void open(TestInfo test) {
    table =
        new IndexFixture(
            SPARK,
            LocalSpark.hadoopCatalog(folder),
            test.getTestMethod().orElseThrow().getName(),
            "id");
  }

  @Test
  void runsThatAreCutOffAfterEachCommitFinishTogether() throws IOException {
    fill(2, 5);
    List<Row> before = rows();
    assertThat(deletes()).isEqualTo(Map.of(DeleteFormat.EQUALITY, 2));
    assertThat(rowsWithDeletesIgnored()).isEqualTo(before.size() + 6);

    List<Integer> left = new ArrayList<>();
    long read = 0;
    for (List<SliceReport> run = run(1, 1); !run.isEmpty(); run = run(1, 1)) {
      assertThat(rows()).as("after slice %s", run).isEqualTo(before);
      assertThat(run).hasSize(1);
      left.add(run.get(0).filesLeft());
      read += run.get(0).counts().dataFiles();
    }

    assertThat(left).containsExactly(4, 3, 2, 1, 0);
    assertThat(read).as("each file is read once").isEqualTo(5);
    assertThat(deletes()).isEqualTo(Map.of(DeleteFormat.POSITION, 5));
    assertThat(run(100, Long.MAX_VALUE)).as("nothing is left to do").isEmpty();
  }

  @Test
  void anEqualityDeleteStaysUntilItsLastDataFileIsDone() throws IOException {
    fill(3, 3);
    int removed = 0;
    for (int done = 1; done < 3; done++) {
      removed += run(1, 1).get(0).counts().deleteFilesRemoved();
      // one of the two reaches a single data file and goes with it
      assertThat(deletes())
          .isEqualTo(
              Map.of(DeleteFormat.EQUALITY, 2 - removed, DeleteFormat.DELETION_VECTOR, done));
    }
    assertThat(removed).isLessThan(2);
    removed += run(1, 1).get(0).counts().deleteFilesRemoved();
    assertThat(removed).isEqualTo(2);
    assertThat(deletes()).isEqualTo(Map.of(DeleteFormat.DELETION_VECTOR, 3));
  }

  @Test
  void deletesAndRowsThatComeBetweenSlicesAreConvertedInTheirTurn() throws IOException {
    fill(2, 4);
    run(2, 1);
    // hits files that are done and files that are not, and not the rows of its own commit
    writer()
        .begin()
        .rows(List.of(row(2, "new"), row(500, "new")))
        .deleteGlobal(List.of(Map.of("id", 2), Map.of("id", 32)))
        .commit();
    List<Row> before = rows();

    List<SliceReport> rest = run(100, 1);

    assertThat(rest).isNotEmpty();
    assertThat(rows()).isEqualTo(before);
    assertThat(deletes()).containsOnlyKeys(DeleteFormat.POSITION);
    assertThat(table.sql("SELECT name FROM $t WHERE id = 2"))
        .extracting(one -> one.getString(0))
        .containsExactly("new");
  }

  @Test
  void aForeignAppendAndForeignDeletesBetweenStageAndCommitAreNoConflict() throws IOException {
    fill(2, 2);
    AtomicInteger calls = new AtomicInteger();

    List<SliceReport> run =
        conversion(
                loaded -> {
                  if (calls.incrementAndGet() == 1) {
                    commit(List.of(row(900, "foreign"), row(1, "foreign")), 3);
                  }
                  return DeleteFormat.POSITION;
                },
                new ConversionLimits(Long.MAX_VALUE, 1, ATTEMPTS))
            .run(report -> {});

    assertThat(run).hasSize(1);
    assertThat(run.get(0).attempts()).isEqualTo(1);
    assertThat(deletes())
        .as("the delete that came meanwhile is left to the next run")
        .containsEntry(DeleteFormat.EQUALITY, 1);
    assertThat(table.sql("SELECT id FROM $t WHERE id = 3")).isEmpty();
    assertThat(table.sql("SELECT id FROM $t WHERE id = 900")).hasSize(1);
    List<Row> before = rows();
    run(100, Long.MAX_VALUE);
    assertThat(rows()).isEqualTo(before);
    assertThat(deletes()).containsOnlyKeys(DeleteFormat.POSITION);
  }

  @Test
  void aCompactionBetweenStageAndCommitMakesTheSliceBePlannedAnew() throws IOException {
    fill(2, 3);
    List<Row> before = rows();
    AtomicInteger calls = new AtomicInteger();

    List<SliceReport> run =
        conversion(
                loaded -> {
                  if (calls.incrementAndGet() == 1) {
                    compact();
                  }
                  return DeleteFormat.POSITION;
                },
                new ConversionLimits(Long.MAX_VALUE, 1, ATTEMPTS))
            .run(report -> {});

    assertThat(rows()).isEqualTo(before);
    assertThat(deletes()).doesNotContainKey(DeleteFormat.EQUALITY);
    assertThat(run).extracting(SliceReport::attempts).containsExactly(2);
  }

  @Test
  void aCompactedFileThatCountsAsOldAndStandsBeforeThePlaceReachedIsNotForgotten()
      throws IOException {
    fill(2, 3);
    List<Row> before = rows();
    run(1, 1);
    Table data = table.data();
    LiveFile undone =
        LiveFiles.at(data, data.currentSnapshot()).all().stream()
            .filter(file -> file.positionalDeletes().isEmpty())
            .findFirst()
            .orElseThrow();
    int number =
        Integer.parseInt(
                table
                    .sql("SELECT min(id) FROM $t WHERE _file = '%s'".formatted(undone.path()))
                    .get(0)
                    .get(0)
                    .toString())
            / 10;
    data.newRewrite()
        .deleteFile(undone.file())
        .addFile(tenRows(data, number, "0.parquet"))
        .dataSequenceNumber(undone.file().dataSequenceNumber())
        .commit();
    assertThat(rows()).as("the deletes reach the new file").isEqualTo(before);

    run(100, 1);

    assertThat(rows()).isEqualTo(before);
    assertThat(deletes()).isEqualTo(Map.of(DeleteFormat.POSITION, 3));
  }

  @Test
  void othersThatAlwaysComeFirstAreAConflict() throws IOException {
    fill(2, 3);
    assertThatThrownBy(
            () ->
                conversion(
                        loaded -> {
                          // removes delete files that the slice would remove as well
                          Table other = table.data();
                          var delta = other.newRowDelta();
                          rewriteOneEqualityDelete(other, delta::removeDeletes);
                          delta.commit();
                          commit(List.of(row(1000, "x")), 1);
                          return DeleteFormat.POSITION;
                        },
                        new ConversionLimits(Long.MAX_VALUE, 1, 2))
                    .run(report -> {}))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.CONFLICT))
        .hasMessageContaining("2 times while their deletes were converted");
  }

  @Test
  void theIndexFollowsEachCommitWithoutBeingRead() throws IOException {
    fill(3, 3);
    IndexBuilder.build(SPARK, table.names());

    List<SliceReport> run = run(2, 1);

    assertThat(run).extracting(SliceReport::index).containsOnly(IndexCarry.Outcome.CARRIED);
    Table data = table.data();
    assertThat(IndexTables.freshness(table.index(), data, table.names().keyOf(data)))
        .isInstanceOf(Freshness.Fresh.class);
    IndexAssertions.assertExact(table);
  }

  @Test
  void anIndexThatWasBehindStaysBehind() throws IOException {
    fill(2, 2);
    IndexBuilder.build(SPARK, table.names());
    commit(List.of(row(77, "later")), 1);

    List<SliceReport> run = run(10, Long.MAX_VALUE);

    assertThat(run).extracting(SliceReport::index).containsOnly(IndexCarry.Outcome.BEHIND);
    Table data = table.data();
    assertThat(IndexTables.freshness(table.index(), data, table.names().keyOf(data)))
        .isInstanceOf(Freshness.Stale.class);
  }

  @Test
  void whatARoundBeforeAnUpgradeDidSaysNothingOfPositionDeletes() throws IOException {
    fill(2, 3);
    table.sql("ALTER TABLE $t SET TBLPROPERTIES ('write.delete.granularity'='partition')");
    table.sql("DELETE FROM $t WHERE id IN (4, 14)");
    List<Row> before = rows();
    assertThat(deletes()).containsKeys(DeleteFormat.EQUALITY, DeleteFormat.POSITION);
    run(2, 1);
    table.sql("ALTER TABLE $t SET TBLPROPERTIES ('format-version'='3')");

    run(1, 1);
    assertThat(rows()).isEqualTo(before);
    run(100, 1);

    assertThat(rows()).isEqualTo(before);
    assertThat(deletes()).isEqualTo(Map.of(DeleteFormat.DELETION_VECTOR, 3));
  }

  @Test
  void deletesOfEveryFileFormatUnderEvolvedSpecsAreConverted() throws IOException {
    create(3);
    for (FileFormat format : List.of(FileFormat.PARQUET, FileFormat.AVRO, FileFormat.ORC)) {
      StreamingWriter writer = new StreamingWriter(table.data(), "main", format);
      int base = format.ordinal() * 100;
      writer
          .begin()
          .rows(List.of(row(base, "a"), row(base + 1, "b"), row(base + 2, null)))
          .commit();
      writer.begin().deleteGlobal(List.of(Map.of("id", base))).commit();
    }
    Table data = table.data();
    data.updateSpec().addField("name").commit();
    StreamingWriter writer = new StreamingWriter(data, "main", FileFormat.ORC);
    writer.begin().rows(List.of(row(1000, "a"), row(1001, "b"), row(1002, null))).commit();
    writer.begin().deleteInPartition(row(0, "a"), Map.of("id", 1000)).commit();
    writer.begin().deleteInPartition(row(0, null), Map.of("id", 1002)).commit();
    // of another partition, so it hits nothing
    writer.begin().deleteInPartition(row(0, "a"), Map.of("id", 1001)).commit();
    Map<String, Object> unnamed = new java.util.HashMap<>();
    unnamed.put("name", null);
    writer.begin().deleteGlobal(List.of(unnamed)).commit();
    List<Row> before = rows();
    assertThat(before).hasSize(4);
    assertThat(rowsWithDeletesIgnored()).isEqualTo(12);

    run(100, 1);

    assertThat(rows()).isEqualTo(before);
    assertThat(deletes()).containsOnlyKeys(DeleteFormat.DELETION_VECTOR);
  }

  private void create(int formatVersion) {
    table.sql(
        "CREATE TABLE $t (id INT, name STRING) USING iceberg TBLPROPERTIES ('format-version'='%d','write.delete.mode'='merge-on-read')"
            .formatted(formatVersion));
  }

  /** Files of ten rows, and two equality delete files of which the first hits every file. */
  private void fill(int formatVersion, int files) throws IOException {
    create(formatVersion);
    List<Map<String, Object>> first = new ArrayList<>();
    for (int file = 0; file < files; file++) {
      List<Map<String, Object>> rows = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        rows.add(row(file * 10 + i, "n" + i));
      }
      writer().begin().rows(rows).commit();
      first.add(Map.of("id", file * 10));
    }
    writer().begin().deleteGlobal(first).commit();
    writer().begin().deleteGlobal(List.of(Map.of("id", 5))).commit();
  }

  private static DataFile tenRows(Table data, int number, String name) throws IOException {
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(data)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(data.schema())
            .build()
            .newDataWriter(
                data.encryption()
                    .encrypt(
                        data.io().newOutputFile(data.locationProvider().newDataLocation(name))),
                data.spec(),
                null);
    try (writer) {
      for (int i = 0; i < 10; i++) {
        writer.write(GenericRecord.create(data.schema()).copy(row(number * 10 + i, "n" + i)));
      }
    }
    return writer.toDataFile();
  }

  private StreamingWriter writer() {
    return new StreamingWriter(table.data(), "main", FileFormat.PARQUET);
  }

  private void commit(List<Map<String, Object>> rows, int deleted) {
    try {
      writer().begin().rows(rows).deleteGlobal(List.of(Map.of("id", deleted))).commit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compact() {
    table.sql(
        "CALL %s.system.rewrite_data_files(table => '%s', options => map('rewrite-all','true'))"
            .formatted(table.names().sparkCatalog(), table.names().data()));
  }

  private static void rewriteOneEqualityDelete(
      Table table, java.util.function.Consumer<org.apache.iceberg.DeleteFile> remove) {
    ConversionPlan.deletes(
            table, table.currentSnapshot(), java.util.EnumSet.of(DeleteFormat.EQUALITY))
        .stream()
        .limit(1)
        .forEach(remove);
  }

  private static Map<String, Object> row(int id, String name) {
    Map<String, Object> row = new java.util.HashMap<>();
    row.put("id", id);
    row.put("name", name);
    return row;
  }

  private List<SliceReport> run(int maxCommits, long maxBytes) {
    return conversion(
            loaded -> DeleteFormat.positional(TableUtil.formatVersion(loaded)),
            new ConversionLimits(maxBytes, maxCommits, ATTEMPTS))
        .run(report -> {});
  }

  private TableConversion conversion(
      Function<Table, DeleteFormat> format, ConversionLimits limits) {
    return new TableConversion(
        SPARK,
        table.names().catalog(),
        table.names().data(),
        table.names().index(),
        format,
        limits);
  }

  private List<Row> rows() {
    return table.sql("SELECT * FROM $t ORDER BY id, name");
  }

  private Map<DeleteFormat, Integer> deletes() {
    return DeleteFileKinds.of(table.data(), table.data().currentSnapshot());
  }

  private long rowsWithDeletesIgnored() {
    return DeleteFileKinds.rowsWithDeletesIgnored(table.data(), table.data().currentSnapshot());
  }
}
