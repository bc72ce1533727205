package io.rowmark.index.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.IndexTables;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.repair.IndexRepairer.Mode;
import io.rowmark.index.repair.RepairReport.Mended;
import io.rowmark.index.repair.RepairReport.Outcome;
import io.rowmark.index.testing.IndexAssertions;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.index.verify.Difference.Kind;
import io.rowmark.index.verify.IndexVerifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Plants faults in a sound index, and looks for what a repair leaves and what it touches. */
@ExtendWith(LocalSpark.class)
class TestIndexRepairer {
  private static LocalCatalog catalog;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path warehouse) {
    spark = session;
    catalog = LocalSpark.hadoopCatalog(warehouse);
  }

  private static IndexFixture indexed(String name, int version) {
    IndexFixture fixture = new IndexFixture(spark, catalog, name + version, "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT, v INT) USING iceberg TBLPROPERTIES ('format-version'='%d', 'write.delete.mode'='merge-on-read')"
            .formatted(version));
    fixture.sql("INSERT INTO $t SELECT /*+ REPARTITION_BY_RANGE(4, id) */ id, 0 FROM range(1000)");
    IndexBuilder.build(spark, fixture.names());
    return fixture;
  }

  private static RepairReport repair(IndexFixture fixture, Mode mode) {
    return IndexRepairer.repair(spark, fixture.names(), mode);
  }

  private static void hide(IndexFixture fixture, long id) throws IOException {
    Row entry = fixture.sql("SELECT _file, _pos FROM $i WHERE id = " + id).get(0);
    IndexFixture.deletePosition(fixture.index(), entry.getString(0), entry.getLong(1));
  }

  private static void add(
      IndexFixture fixture, long id, @Nullable String file, @Nullable Long position, int order)
      throws IOException {
    Map<String, @Nullable Object> row = new HashMap<>();
    row.put("id", id);
    row.put("data_file", file);
    row.put("position", position);
    row.put("change_order", order == 0 ? null : ByteBuffer.wrap(new byte[] {1, (byte) order}));
    Table data = fixture.data();
    IndexFixture.append(
        fixture.index(), row, IndexTables.wanted(data, fixture.names().keyOf(data)).toSummary());
  }

  private static Row place(IndexFixture fixture, long id) {
    return fixture.sql("SELECT _file, _pos FROM $t WHERE id = " + id).get(0);
  }

  private static List<Row> untouched(IndexFixture fixture) {
    return fixture.sql(
        "SELECT id, _file, _pos FROM $i WHERE id BETWEEN 10 AND 999 AND id NOT IN (300) ORDER BY id");
  }

  @Test
  void everyKindOfFaultIsMendedInOneCommitAndNothingElseIsTouched() throws IOException {
    mendsEveryFault(3);
  }

  @Tag("long")
  @Test
  void everyKindOfFaultIsMendedInOneCommitAndNothingElseIsTouchedInVersionTwo() throws IOException {
    mendsEveryFault(2);
  }

  private static void mendsEveryFault(int version) throws IOException {
    IndexFixture fixture = indexed("faults", version);
    Row five = place(fixture, 5);
    hide(fixture, 5);
    add(fixture, 5, five.getString(0), five.getLong(1) + 1, 7); // wrong place, with an order
    hide(fixture, 6); // missing
    add(fixture, 7, place(fixture, 7).getString(0), place(fixture, 7).getLong(1), 3); // doubled
    add(fixture, 8, null, null, 9); // a deleted key beside a live entry
    hide(fixture, 300);
    add(fixture, 300, "file:/gone.parquet", 7L, 0); // vanished file
    add(fixture, 5000, five.getString(0), five.getLong(1), 0); // no such row
    add(fixture, 5001, five.getString(0), five.getLong(1), 4); // no such row, with an order
    add(fixture, 6000, null, null, 5); // sound: a deleted key
    List<Row> before = untouched(fixture);
    long index = fixture.index().currentSnapshot().snapshotId();

    RepairReport looked = repair(fixture, Mode.LOOK);
    assertThat(looked.outcome()).isEqualTo(Outcome.DIFFERS);
    assertThat(looked.kinds())
        .isEqualTo(IndexVerifier.verify(spark, fixture.names()).kinds())
        .containsEntry(Kind.WRONG_PLACE, 1L)
        .containsEntry(Kind.MISSING_ENTRY, 1L)
        .containsEntry(Kind.DUPLICATE_ENTRY, 2L)
        .containsEntry(Kind.VANISHED_FILE, 1L)
        .containsEntry(Kind.NO_SUCH_ROW, 2L);
    assertThat(looked.mended()).isNull();
    assertThat(fixture.index().currentSnapshot().snapshotId()).isEqualTo(index);

    RepairReport report = repair(fixture, Mode.MEND);

    assertThat(report.outcome()).isEqualTo(Outcome.MENDED);
    assertThat(report.kinds()).isEqualTo(looked.kinds());
    Mended mended = Objects.requireNonNull(report.mended());
    assertThat(mended.entriesDropped()).isEqualTo(8);
    assertThat(mended.entriesAdded()).isEqualTo(5);
    assertThat(mended.tombstones()).isEqualTo(1);
    assertThat(mended.filesReadAgain()).as("0 to 249 and 250 to 499").isEqualTo(2);
    assertThat(fixture.index().currentSnapshot().parentId()).isEqualTo(index);
    assertThat(untouched(fixture)).isEqualTo(before);
    IndexAssertions.assertExact(fixture);
    assertThat(IndexVerifier.verify(spark, fixture.names()).differences()).isEmpty();
    assertThat(
            fixture.sql(
                "SELECT id, hex(change_order) FROM $i WHERE change_order IS NOT NULL ORDER BY id"))
        .extracting(row -> row.getLong(0) + " " + row.getString(1))
        .containsExactly("5 0107", "7 0103", "8 0109", "5001 0104", "6000 0105");

    RepairReport again = repair(fixture, Mode.MEND);
    assertThat(again.outcome()).isEqualTo(Outcome.SOUND);
    assertThat(fixture.index().currentSnapshot().snapshotId()).isEqualTo(mended.indexSnapshotId());
  }

  @Test
  void anIndexThatOthersChangedIsMendedAndCoversTheTableAgain() {
    IndexFixture fixture = indexed("touched", 3);
    fixture.sql("DELETE FROM $i WHERE id BETWEEN 100 AND 199");
    RepairReport report = repair(fixture, Mode.MEND);
    assertThat(report.kinds())
        .containsEntry(Kind.STALE_COVERAGE, 1L)
        .containsEntry(Kind.MISSING_ENTRY, 100L);
    assertThat(Objects.requireNonNull(report.mended()).entriesAdded()).isEqualTo(100);
    assertThat(IndexVerifier.verify(spark, fixture.names()).differences()).isEmpty();
  }

  @Test
  void anIndexOfAnotherTableIsNotRepaired() {
    IndexFixture fixture = indexed("reborn", 3);
    fixture.sql("DROP TABLE $t PURGE");
    fixture.sql("CREATE TABLE $t (id BIGINT, v INT) USING iceberg");
    assertThatThrownBy(() -> repair(fixture, Mode.MEND))
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "Index shop.reborn3__rowmark_index of table shop.reborn3 was built for another table or key, so there is nothing to repair. Run 'rowmark index build --table shop.reborn3'.");
  }
}
