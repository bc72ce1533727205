package io.rowmark.index.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LocalSpark.class)
class TestIndexLookup {
  private static LocalCatalog catalog;
  private static SparkSession spark;
  private static IndexFixture fixture;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path warehouse) {
    spark = session;
    catalog = LocalSpark.hadoopCatalog(warehouse);
    fixture = new IndexFixture(spark, catalog, "typed", "id", "at", "raw", "price", "it's");
    Schema schema =
        new Schema(
            Types.NestedField.required(1, "id", Types.UUIDType.get()),
            Types.NestedField.required(2, "at", Types.TimestampType.withZone()),
            Types.NestedField.required(3, "raw", Types.BinaryType.get()),
            Types.NestedField.required(4, "price", Types.DecimalType.of(10, 2)),
            Types.NestedField.required(5, "it's", Types.StringType.get()));
    catalog
        .iceberg()
        .buildTable(fixture.names().data(), schema)
        .withProperty("format-version", "3")
        .create();
    fixture.sql(
        "INSERT INTO $t VALUES"
            + " ('00000000-0000-0000-0000-00000000000a', TIMESTAMP '2026-01-02 03:04:05.000006', X'00FF', 1.50, \"o'neil\"),"
            + " ('f0000000-0000-0000-0000-00000000000b', TIMESTAMP '2026-01-02 03:04:05.000006', X'00FF', 1.50, \"o'neil\")");
    IndexBuilder.build(spark, fixture.names());
  }

  @Test
  void findsTheEntryOfAKey() {
    Row place = fixture.sql("SELECT _file, _pos FROM $t WHERE id LIKE 'f%'").get(0);
    List<IndexEntry> found =
        IndexLookup.find(
            spark,
            fixture.names(),
            List.of(
                "F0000000-0000-0000-0000-00000000000B",
                "2026-01-02 03:04:05.000006",
                "00ff",
                "1.5",
                "o'neil"));
    assertThat(found)
        .containsExactly(new IndexEntry(place.getString(0), place.getLong(1), null, null));
  }

  @Test
  void findsNothingForAKeyThatIsNotThere() {
    assertThat(
            IndexLookup.find(
                spark,
                fixture.names(),
                List.of(
                    "f0000000-0000-0000-0000-00000000000b",
                    "2026-01-02 03:04:05.000006",
                    "00ff",
                    "1.51",
                    "o'neil")))
        .isEmpty();
  }

  @Test
  void refusesValuesThatDoNotFit() {
    assertThatThrownBy(() -> IndexLookup.find(spark, fixture.names(), List.of("1")))
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "The key of table shop.typed has the columns [id, at, raw, price, it's], but 1 values were given.");
    assertThatThrownBy(
            () -> IndexLookup.find(spark, fixture.names(), List.of("f", "soon", "00", "1", "")))
        .isInstanceOf(RowmarkException.class)
        .hasMessage("The value given for key column 'id' is not a uuid.");
  }
}
