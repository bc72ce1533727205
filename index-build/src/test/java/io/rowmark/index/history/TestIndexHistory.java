package io.rowmark.index.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.lookup.IndexEntry;
import io.rowmark.index.reconcile.IndexReconciler;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the index says of a key at each snapshot is what the table itself says by time travel. */
@ExtendWith(LocalSpark.class)
class TestIndexHistory {
  private static LocalCatalog catalog;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path warehouse) {
    spark = session;
    catalog = LocalSpark.hadoopCatalog(warehouse);
  }

  private static KeyHistory history(IndexFixture fixture, String... key) {
    return IndexHistory.of(
        spark, fixture.names(), List.of(key), snapshot -> Optional.of("b" + snapshot.snapshotId()));
  }

  private static void reconcile(IndexFixture fixture) {
    IndexReconciler.reconcile(spark, fixture.names());
  }

  private static void agreesWithTimeTravel(IndexFixture fixture, String key, String condition) {
    for (Stay stay : history(fixture, key).stays()) {
      for (Long snapshot : List.of(stay.since(), stay.until())) {
        List<String> places = new ArrayList<>();
        for (Row row :
            fixture.sql(
                "SELECT _file, _pos FROM $t VERSION AS OF %d WHERE %s"
                    .formatted(snapshot, condition))) {
          places.add(row.getString(0) + " " + row.getLong(1));
        }
        List<String> said = new ArrayList<>();
        for (IndexEntry entry : stay.entries()) {
          said.add(entry.dataFile() + " " + entry.position());
        }
        assertThat(said).as("at snapshot %d", snapshot).isEqualTo(places);
      }
    }
  }

  @Test
  void everyPlaceOfAKeyIsToldAndEqualOnesAreOne() {
    tellsEveryPlace(3);
  }

  @Tag("long")
  @Test
  void everyPlaceOfAKeyIsToldAndEqualOnesAreOneInVersionTwo() {
    tellsEveryPlace(2);
  }

  private static void tellsEveryPlace(int version) {
    IndexFixture fixture = new IndexFixture(spark, catalog, "moves" + version, "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT, v INT) USING iceberg TBLPROPERTIES ('format-version'='%d', 'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read')"
            .formatted(version));
    fixture.sql("INSERT INTO $t SELECT id, 0 FROM range(100)");
    IndexBuilder.build(spark, fixture.names());
    for (String change :
        List.of(
            "UPDATE $t SET v = 1 WHERE id = 7",
            "INSERT INTO $t VALUES (1000, 1)",
            "UPDATE $t SET v = 2 WHERE id IN (7, 8)",
            "DELETE FROM $t WHERE id = 7",
            "INSERT INTO $t VALUES (7, 9)")) {
      fixture.sql(change);
      reconcile(fixture);
    }

    KeyHistory seven = history(fixture, "7");

    assertThat(seven.snapshots()).isEqualTo(6);
    assertThat(seven.silent()).isZero();
    assertThat(seven.stays()).as("the insert of another key is no change").hasSize(5);
    assertThat(seven.stays().get(1).since()).isNotEqualTo(seven.stays().get(1).until());
    assertThat(seven.stays().get(3).entries()).isEmpty();
    assertThat(seven.stays().get(0).batchId())
        .isEqualTo("b" + seven.stays().get(0).indexSnapshotId());
    assertThat(seven.cost().files()).as("each file once, if its range has the key").isEqualTo(4);
    agreesWithTimeTravel(fixture, "7", "id = 7");
    agreesWithTimeTravel(fixture, "8", "id = 8");
    agreesWithTimeTravel(fixture, "1000", "id = 1000");
    assertThat(history(fixture, "4711").stays())
        .singleElement()
        .satisfies(stay -> assertThat(stay.entries()).isEmpty());
  }

  @Test
  void keysOfSeveralTypesAreReadAsText() {
    IndexFixture fixture = new IndexFixture(spark, catalog, "typed", "day", "name", "price", "raw");
    fixture.sql(
        "CREATE TABLE $t (day DATE, name STRING, price DECIMAL(20,2), raw BINARY) USING iceberg TBLPROPERTIES ('format-version'='3')");
    fixture.sql("INSERT INTO $t VALUES (DATE '2026-11-30', 'ß 🐘', 12.50, X'00FF')");
    IndexBuilder.build(spark, fixture.names());
    assertThat(history(fixture, "2026-11-30", "ß 🐘", "12.5", "00ff").stays().get(0).entries())
        .hasSize(1);
    assertThat(history(fixture, "2026-11-30", "ß 🐘", "12.51", "00ff").stays().get(0).entries())
        .isEmpty();
    assertThatThrownBy(() -> history(fixture, "yesterday", "a", "1", "00"))
        .isInstanceOf(RowmarkException.class)
        .hasMessage("The value given for key column 'day' is not a date.");
    assertThatThrownBy(() -> history(fixture, "2026-11-30"))
        .hasMessageContaining("but 1 values were given");
  }
}
