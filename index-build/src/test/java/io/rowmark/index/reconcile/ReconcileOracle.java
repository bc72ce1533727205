package io.rowmark.index.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.index.verify.VerifyReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** Compares a reconciled index with one built from scratch, and the orders with those before. */
final class ReconcileOracle {
  private final SparkSession spark;
  private final IndexFixture fixture;

  ReconcileOracle(SparkSession spark, IndexFixture fixture) {
    this.spark = spark;
    this.fixture = fixture;
  }

  /** Builds the index and gives some live and some deleted keys an order. */
  static void buildWithOrders(SparkSession spark, IndexFixture fixture) throws IOException {
    IndexBuilder.build(spark, fixture.names());
    var coverage = IndexTables.state(fixture.index()).coverage().orElseThrow();
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (long id : new long[] {3, 4, 5, 33, 49, 57, 99, 150, 7777, 8888}) {
      Map<String, @Nullable Object> row = new HashMap<>();
      row.put("id", id);
      row.put("change_order", ByteBuffer.wrap(new byte[] {1, (byte) id}));
      rows.add(row);
    }
    var append =
        fixture.index().newAppend().appendFile(IndexFixture.writeRows(fixture.index(), rows));
    coverage.toSummary().forEach(append::set);
    append.commit();
    IndexBuilder.build(spark, fixture.names());
  }

  private String key() {
    return fixture.names().key().stream()
        .map(IndexedTable::quoted)
        .collect(Collectors.joining(", "));
  }

  /** The order of each key that has one. */
  Map<String, String> orders() {
    return fixture
        .sql(
            "SELECT struct(%s), hex(change_order) FROM $i WHERE change_order IS NOT NULL"
                .formatted(key()))
        .stream()
        .collect(Collectors.toMap(row -> row.getStruct(0).mkString(","), row -> row.getString(1)));
  }

  /** Brings the index up to date and checks everything that can be said about it. */
  Reconciliation reconcile() {
    Map<String, String> ordersBefore = orders();
    Reconciliation outcome = IndexReconciler.reconcile(spark, fixture.names());
    if (!(outcome instanceof Reconciliation.RebuildNeeded)) {
      check(ordersBefore);
    }
    return outcome;
  }

  void check(Map<String, String> ordersBefore) {
    IndexedTable names = fixture.names();
    IndexedTable scratch =
        new IndexedTable(
            names.catalog(),
            names.sparkCatalog(),
            names.data(),
            TableIdentifier.of(names.data().namespace(), names.data().name() + "__scratch"),
            names.key());
    names.catalog().dropTable(scratch.index(), true);
    IndexBuilder.build(spark, scratch);
    String columns = key() + ", data_file, position, row_id";
    String select = "SELECT struct(%s) FROM %s WHERE data_file IS NOT NULL ORDER BY 1";
    assertThat(fixture.sql(select.formatted(columns, names.sparkIndex())))
        .as("entries of the reconciled index")
        .isEqualTo(fixture.sql(select.formatted(columns, scratch.sparkIndex())));
    assertThat(orders()).as("orders").isEqualTo(ordersBefore);
    List<Row> repeated =
        fixture.sql("SELECT %s FROM $i GROUP BY %s HAVING count(*) > 1".formatted(key(), key()));
    assertThat(repeated).as("keys with two entries").isEmpty();
    assertThat(
            fixture.value(
                "SELECT count(*) FROM $i WHERE data_file IS NULL AND change_order IS NULL"))
        .as("tombstones without an order")
        .isEqualTo(0L);
    VerifyReport report = IndexVerifier.verify(spark, names);
    assertThat(report.differences()).isEmpty();
  }
}
