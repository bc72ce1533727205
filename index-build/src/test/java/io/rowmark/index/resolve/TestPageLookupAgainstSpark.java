package io.rowmark.index.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same keys through a join in Spark and through pages: same entries, same order of keys. */
@ExtendWith(LocalSpark.class)
class TestPageLookupAgainstSpark {
  private static LocalCatalog catalog;
  private static SparkSession spark;
  private static int tables;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path warehouse) {
    spark = session;
    catalog = LocalSpark.hadoopCatalog(warehouse);
  }

  /** Columns of the key, and an expression of {@code id} for each. */
  static Stream<Arguments> keys() {
    return Stream.of(
        Arguments.of(3, "k0 BIGINT", List.of("id * 3 - 4000")),
        Arguments.of(2, "k0 STRING", List.of("concat(char(945 + id % 20), md5(string(id)))")),
        Arguments.of(3, "k0 DECIMAL(38,4)", List.of("(id - 1000) * 123456789012345.25BD")),
        Arguments.of(2, "k0 DECIMAL(9,2)", List.of("(id - 1000) / 4.0BD")),
        Arguments.of(3, "k0 BINARY", List.of("unhex(md5(string(id)))")),
        Arguments.of(
            3,
            "k0 INT, k1 DATE, k2 BOOLEAN",
            List.of("int(id % 3)", "date_add(DATE '1969-06-01', int(id))", "id % 2 = 0")),
        Arguments.of(
            2,
            "k0 STRING, k1 TIMESTAMP",
            List.of("string(id % 5)", "timestamp_micros(id * 1000001 - 500000000)")));
  }

  @ParameterizedTest(name = "v{0} {1}")
  @MethodSource("keys")
  void bothWaysFindTheSameEntries(int version, String columns, List<String> values)
      throws Exception {
    String[] names =
        IntStream.range(0, values.size()).mapToObj(i -> "k" + i).toArray(String[]::new);
    IndexFixture fixture = new IndexFixture(spark, catalog, "t" + tables++, names);
    fixture.sql(
        "CREATE TABLE $t (%s, v INT) USING iceberg TBLPROPERTIES ('format-version'='%d')"
            .formatted(columns.replaceAll("( [A-Z]+(\\([^)]*\\))?)", "$1 NOT NULL"), version));
    String row = String.join(", ", values);
    fixture.sql("INSERT INTO $t SELECT %s, 1 FROM range(0, 2000, 2)".formatted(row));
    fixture.sql("INSERT INTO $t SELECT %s, 2 FROM range(2000, 3000, 2)".formatted(row));
    IndexBuilder.build(spark, fixture.names());
    String indexFile = (String) fixture.value("SELECT _file FROM $i WHERE _pos = 1 LIMIT 1");
    IndexFixture.deletePosition(fixture.index(), indexFile, 1);

    // every sixth id: a third is in the table; without order for the join, in order for the pages
    Dataset<Row> wanted =
        spark
            .sql("SELECT id, %s FROM range(-300, 3300, 3)".formatted(named(columns, values)))
            .orderBy(
                Stream.of(names)
                    .map(org.apache.spark.sql.functions::col)
                    .toArray(org.apache.spark.sql.Column[]::new));
    wanted.createOrReplaceTempView("wanted");
    String on =
        Stream.of(names)
            .map(n -> "w.%s = i.%s".formatted(n, n))
            .collect(Collectors.joining(" AND "));
    List<String> joined =
        fixture
            .sql(
                ("SELECT w.id, i.data_file, i.position, i.row_id, i._file, i._pos"
                        + " FROM $i i JOIN wanted w ON %s")
                    .formatted(on))
            .stream()
            .map(found -> found.mkString("|"))
            .toList();

    KeySpec key = fixture.names().keyOf(fixture.data());
    SparkKeys keys =
        new SparkKeys(key, wanted.schema(), IntStream.rangeClosed(1, names.length).toArray());
    InternalRow[] rows = wanted.queryExecution().executedPlan().executeCollect();
    Stream.of(rows).forEach(keys::add);
    SortedKeys sorted = keys.build();
    Table index = fixture.index();
    LiveFiles files =
        LiveFiles.withBounds(index, index.currentSnapshot(), PageLookup.boundedColumns(index, key));
    LookupResult result =
        PageLookup.of(index, key, ReadRanges.DEFAULT).find(files.all(), sorted, Runnable::run);
    List<String> found =
        result.hits().stream()
            .map(
                hit ->
                    Stream.of(
                            rows[hit.key()].getLong(0),
                            hit.entry().dataFile(),
                            hit.entry().position(),
                            hit.entry().rowId(),
                            hit.indexFile(),
                            hit.indexPosition())
                        .map(String::valueOf)
                        .collect(Collectors.joining("|")))
            .toList();
    assertThat(found).hasSizeBetween(490, 500).containsExactlyInAnyOrderElementsOf(joined);
  }

  /** Literal expressions in the types of their columns, as a batch's rows have them. */
  private static String named(String columns, List<String> values) {
    String[] declared = columns.split(", ");
    return IntStream.range(0, values.size())
        .mapToObj(
            i ->
                "CAST(%s AS %s) AS k%d"
                    .formatted(values.get(i), declared[i].substring("k0 ".length()), i))
        .collect(Collectors.joining(", "));
  }

  @Test
  void keysOfAnotherTypeAreRefused() {
    KeySpec key = RunsFixture.key(Types.DecimalType.of(9, 2));
    StructType rows = new StructType().add("k0", "decimal(9,4)");
    assertThatThrownBy(() -> new SparkKeys(key, rows, new int[] {0}))
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "Wanted keys hold the key column 'k0', which is of type decimal(9, 2), as DECIMAL(9,4). Cast it first.");
  }
}
