package io.rowmark.index.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.IndexTables;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.index.verify.Difference.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plants one fault after another in a sound index, through Iceberg's own interface. */
@ExtendWith(LocalSpark.class)
class TestIndexVerifier {
  private static LocalCatalog catalog;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path warehouse) {
    spark = session;
    catalog = LocalSpark.hadoopCatalog(warehouse);
  }

  private static IndexFixture indexed(String name, int formatVersion) {
    IndexFixture fixture = new IndexFixture(spark, catalog, name + formatVersion, "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT, v INT) USING iceberg TBLPROPERTIES ('format-version'='%d', 'write.update.mode'='merge-on-read', 'write.delete.mode'='merge-on-read')"
            .formatted(formatVersion));
    fixture.sql("INSERT INTO $t SELECT /*+ REPARTITION(2) */ id, 0 FROM range(1000)");
    IndexBuilder.build(spark, fixture.names());
    assertThat(verify(fixture).differences()).as("control: sound before").isEmpty();
    return fixture;
  }

  private static VerifyReport verify(IndexFixture fixture) {
    return IndexVerifier.verify(spark, fixture.names());
  }

  private static List<Kind> kinds(VerifyReport report) {
    return report.differences().stream().map(Difference::kind).toList();
  }

  /** Hides the entry of a key. Coverage is lost, as with any foreign change. */
  private static void hideEntry(IndexFixture fixture, long id) throws IOException {
    Row entry = fixture.sql("SELECT _file, _pos FROM $i WHERE id = " + id).get(0);
    IndexFixture.deletePosition(fixture.index(), entry.getString(0), entry.getLong(1));
  }

  private static void addEntry(
      IndexFixture fixture, long id, @Nullable String file, @Nullable Long position)
      throws IOException {
    addEntry(fixture, id, file, position, null);
  }

  private static void addEntry(
      IndexFixture fixture,
      long id,
      @Nullable String file,
      @Nullable Long position,
      @Nullable Long rowId)
      throws IOException {
    Map<String, @Nullable Object> row = new HashMap<>();
    row.put("id", id);
    row.put("data_file", file);
    row.put("position", position);
    row.put("row_id", rowId);
    row.put("change_order", file == null ? ByteBuffer.wrap(new byte[] {1}) : null);
    Table index = fixture.index();
    Table data = fixture.data();
    IndexFixture.append(
        index, row, IndexTables.wanted(data, fixture.names().keyOf(data)).toSummary());
  }

  private static Row place(IndexFixture fixture, long id) {
    return fixture.sql("SELECT _file, _pos FROM $t WHERE id = " + id).get(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void findsAMissingEntry(int version) throws IOException {
    IndexFixture fixture = indexed("missing", version);
    hideEntry(fixture, 5);
    Row place = place(fixture, 5);
    VerifyReport report = verify(fixture);
    assertThat(kinds(report)).containsExactly(Kind.STALE_COVERAGE, Kind.MISSING_ENTRY);
    Difference missing = report.differences().get(1);
    assertThat(missing.dataFile()).isEqualTo(place.getString(0));
    assertThat(missing.position()).isEqualTo(place.getLong(1));
    assertThat(report.rowsInTable()).isEqualTo(1000);
    assertThat(report.entriesInIndex()).isEqualTo(999);
    assertThat(report.agrees()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void findsAWrongPosition(int version) throws IOException {
    IndexFixture fixture = indexed("position", version);
    Row place = place(fixture, 5);
    hideEntry(fixture, 5);
    addEntry(fixture, 5, place.getString(0), place.getLong(1) + 1);
    VerifyReport report = verify(fixture);
    assertThat(kinds(report)).containsExactly(Kind.WRONG_PLACE);
    assertThat(report.differences().get(0).position()).isEqualTo(place.getLong(1) + 1);
    assertThat(report.differences().get(0).detail())
        .contains("the row is at position %d of".formatted(place.getLong(1)));
  }

  @Test
  void findsAWrongFile() throws IOException {
    IndexFixture fixture = indexed("file", 3);
    Row place = place(fixture, 5);
    String other =
        (String)
            fixture.value(
                "SELECT max(_file) FROM $t WHERE _file <> '%s'".formatted(place.getString(0)));
    hideEntry(fixture, 5);
    addEntry(fixture, 5, other, place.getLong(1));
    assertThat(kinds(verify(fixture))).containsExactly(Kind.WRONG_PLACE);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void findsAnEntryToAVanishedFile(int version) throws IOException {
    IndexFixture fixture = indexed("vanished", version);
    hideEntry(fixture, 5);
    addEntry(fixture, 5, "file:/gone.parquet", 7L);
    VerifyReport report = verify(fixture);
    assertThat(kinds(report)).containsExactly(Kind.VANISHED_FILE);
    assertThat(report.differences().get(0).dataFile()).isEqualTo("file:/gone.parquet");
    assertThat(report.differences().get(0).position()).isEqualTo(7);
  }

  @Test
  void findsAPathInAnotherSpelling() throws IOException {
    IndexFixture fixture = indexed("spelling", 3);
    Row place = place(fixture, 5);
    hideEntry(fixture, 5);
    addEntry(fixture, 5, place.getString(0).replace("file:/", "file:///"), place.getLong(1));
    assertThat(kinds(verify(fixture))).containsExactly(Kind.VANISHED_FILE);
  }

  @Test
  void findsAnEntryOfAKeyThatNoRowHas() throws IOException {
    IndexFixture fixture = indexed("nobody", 3);
    Row place = place(fixture, 5);
    addEntry(fixture, 5000, place.getString(0), place.getLong(1));
    assertThat(kinds(verify(fixture))).containsExactly(Kind.NO_SUCH_ROW);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void findsADuplicatedEntry(int version) throws IOException {
    IndexFixture fixture = indexed("doubled", version);
    Row place = place(fixture, 5);
    addEntry(fixture, 5, place.getString(0), place.getLong(1));
    VerifyReport report = verify(fixture);
    assertThat(kinds(report)).containsExactly(Kind.DUPLICATE_ENTRY);
    assertThat(report.entriesInIndex()).isEqualTo(1001);
  }

  @Test
  void findsATombstoneBesideALiveEntry() throws IOException {
    IndexFixture fixture = indexed("undead", 3);
    addEntry(fixture, 5, null, null);
    VerifyReport report = verify(fixture);
    assertThat(kinds(report)).containsExactly(Kind.DUPLICATE_ENTRY);
    assertThat(report.tombstones()).isEqualTo(1);
  }

  @Test
  void findsALiveRowBehindATombstone() throws IOException {
    IndexFixture fixture = indexed("risen", 3);
    hideEntry(fixture, 5);
    addEntry(fixture, 5, null, null);
    assertThat(kinds(verify(fixture))).containsExactly(Kind.MISSING_ENTRY);
  }

  @Test
  void acceptsTombstonesOfKeysThatAreGone() throws IOException {
    IndexFixture fixture = indexed("buried", 3);
    addEntry(fixture, 5000, null, null);
    VerifyReport report = verify(fixture);
    assertThat(report.differences()).isEmpty();
    assertThat(report.tombstones()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void findsThatTheTableMovedOn(int version) {
    IndexFixture fixture = indexed("moved", version);
    long covered = fixture.data().currentSnapshot().snapshotId();
    fixture.sql("UPDATE $t SET v = 1 WHERE id = 5");
    long now = fixture.data().currentSnapshot().snapshotId();
    VerifyReport report = verify(fixture);
    assertThat(kinds(report)).containsExactly(Kind.STALE_COVERAGE, Kind.WRONG_PLACE);
    assertThat(report.differences().get(0).detail())
        .endsWith("it covers snapshot %d and the table is at %d".formatted(covered, now));
  }

  @Test
  void findsRepeatedAndNullKeysInTheTable() {
    IndexFixture fixture = indexed("repeated", 3);
    fixture.sql("INSERT INTO $t VALUES (5, 1), (null, 1)");
    assertThat(kinds(verify(fixture)))
        .containsExactlyInAnyOrder(Kind.STALE_COVERAGE, Kind.DUPLICATE_ROW, Kind.NULL_KEY);
  }

  @Test
  void findsALostRowId() throws IOException {
    IndexFixture fixture = indexed("lineage", 3);
    fixture.sql("UPDATE $t SET v = 1 WHERE id = 5");
    IndexBuilder.build(spark, fixture.names());
    assertThat(verify(fixture).agrees()).isTrue();
    Row place = place(fixture, 5);
    hideEntry(fixture, 5);
    addEntry(fixture, 5, place.getString(0), place.getLong(1));
    assertThat(kinds(verify(fixture))).containsExactly(Kind.WRONG_ROW_ID);
  }

  @Test
  void countsAllDifferencesAndShowsTwenty() {
    IndexFixture fixture = indexed("many", 3);
    fixture.sql("DELETE FROM $t WHERE id < 300");
    VerifyReport report = verify(fixture);
    assertThat(report.differenceCount()).isEqualTo(301);
    assertThat(report.differences()).hasSize(20);
  }

  @Test
  void aSampleComparesAShareOfTheKeysOnBothSides() {
    IndexFixture fixture = indexed("sampled", 3);
    VerifyReport sound = IndexVerifier.verify(spark, fixture.names(), 25);
    assertThat(sound.agrees()).isTrue();
    assertThat(sound.sampledPercent()).isEqualTo(25);
    assertThat(sound.rowsInTable()).isBetween(150L, 350L).isEqualTo(sound.entriesInIndex());
    fixture.sql("DELETE FROM $t WHERE id < 500");
    VerifyReport faulty = IndexVerifier.verify(spark, fixture.names(), 25);
    assertThat(faulty.differenceCount()).isBetween(75L, 200L);
    assertThat(faulty.entriesInIndex()).isEqualTo(sound.entriesInIndex());
  }

  @Test
  void refusesAPercentOutOfRange() {
    IndexFixture fixture = new IndexFixture(spark, catalog, "any", "id");
    for (double percent : new double[] {0, -1, 100.1, Double.NaN}) {
      assertThatThrownBy(() -> IndexVerifier.verify(spark, fixture.names(), percent))
          .isInstanceOf(RowmarkException.class)
          .hasMessageContaining("Give a number above 0 and at most 100.");
    }
  }

  @Test
  void saysThatThereIsNoIndex() {
    IndexFixture fixture = new IndexFixture(spark, catalog, "bare", "id");
    fixture.sql("CREATE TABLE $t (id BIGINT) USING iceberg TBLPROPERTIES ('format-version'='3')");
    assertThatThrownBy(() -> verify(fixture))
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "Table shop.bare has no index shop.bare__rowmark_index. Run 'rowmark index build'.");
  }
}
