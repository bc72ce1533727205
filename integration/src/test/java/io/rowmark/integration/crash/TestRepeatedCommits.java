package io.rowmark.integration.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.convert.ConversionLimits;
import io.rowmark.index.convert.TableConversion;
import io.rowmark.index.publish.BranchPublisher;
import io.rowmark.index.publish.Branches;
import io.rowmark.index.publish.PublishLimits;
import io.rowmark.index.reconcile.IndexReconciler;
import io.rowmark.index.reconcile.Reconciliation;
import io.rowmark.index.testing.DeleteFileKinds;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.index.testing.StreamingWriter;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.integration.crash.FaultyProxy.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A commit of one table lands, is sent again on its way, and the catalog refuses the second copy:
 * the conflict is with oneself, and the files of the commit are in use.
 */
class TestRepeatedCommits {
  private static final TableIdentifier THINGS = TableIdentifier.of("shop", "things");
  private static final TableIdentifier INDEX = TableIdentifier.of("shop", "things_index");
  private static final ConversionLimits ALL = new ConversionLimits(Long.MAX_VALUE, 10, 2);

  @TempDir private Path folder;
  private EmbeddedCatalog embedded;
  private LocalCatalog plain;

  @BeforeEach
  void start() {
    embedded = EmbeddedCatalog.start(folder.resolve("catalog"), 0);
    plain = LocalSpark.catalog(embedded.clientProperties());
  }

  @AfterEach
  void stop() {
    embedded.close();
  }

  private List<Row> sql(String text) {
    return LocalSpark.session().sql(text.replace("$c", plain.name())).collectAsList();
  }

  /** Twenty rows, of which two are deleted by key. */
  private void fill(int version, String branch) throws IOException {
    sql("CREATE NAMESPACE $c.shop");
    sql(
        "CREATE TABLE $c.shop.things (id INT NOT NULL, name STRING) USING iceberg TBLPROPERTIES ('format-version'='%d')"
            .formatted(version));
    append(branch, 0);
    append(branch, 10);
    writer(branch).begin().deleteGlobal(List.of(Map.of("id", 3), Map.of("id", 14))).commit();
  }

  private StreamingWriter writer(String branch) {
    return new StreamingWriter(plain.iceberg().loadTable(THINGS), branch, FileFormat.PARQUET);
  }

  private void append(String branch, int first) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int id = first; id < first + 10; id++) {
      rows.add(Map.of("id", id, "name", "n" + id));
    }
    writer(branch).begin().rows(rows).commit();
  }

  /** What commits through a proxy that spoils the next commit of a table. */
  private interface Work {
    void through(LocalCatalog catalog);
  }

  private void spoiled(TableIdentifier table, Work work) throws IOException {
    try (FaultyProxy proxy = FaultyProxy.before(embedded.uri(), table)) {
      Map<String, String> properties = new HashMap<>(embedded.clientProperties());
      properties.put("uri", proxy.uri());
      LocalCatalog catalog = LocalSpark.catalog(properties);
      proxy.spoil(Fault.REPEATED);
      work.through(catalog);
      assertThat(proxy.left()).as("faults that were not met").isZero();
    }
  }

  private static IndexedTable names(LocalCatalog catalog) {
    return new IndexedTable(catalog.iceberg(), catalog.name(), THINGS, INDEX, List.of("id"));
  }

  private List<Integer> ids() {
    return sql("SELECT id FROM $c.shop.things ORDER BY id").stream()
        .map(row -> row.getInt(0))
        .toList();
  }

  @Test
  void aConvertedSliceThatLandedKeepsItsFiles() throws IOException {
    fill(2, "main");
    List<Integer> before = ids();
    assertThat(before).hasSize(18).doesNotContain(3, 14);
    spoiled(
        THINGS,
        catalog ->
            assertThat(
                    new TableConversion(
                            LocalSpark.session(),
                            catalog.iceberg(),
                            THINGS,
                            INDEX,
                            table -> DeleteFormat.POSITION,
                            ALL)
                        .run(report -> {}))
                .as("commits")
                .singleElement()
                .satisfies(report -> assertThat(report.attempts()).isEqualTo(1)));
    Table table = plain.iceberg().loadTable(THINGS);
    assertThat(DeleteFileKinds.of(table, table.currentSnapshot()))
        .as("delete files, one for each of the two data files")
        .containsExactly(Map.entry(DeleteFormat.POSITION, 2));
    assertThat(ids()).isEqualTo(before);
  }

  @Test
  void aPublicationThatLandedKeepsItsFiles() throws IOException {
    fill(3, "staging");
    spoiled(
        THINGS,
        catalog ->
            assertThat(
                    new BranchPublisher(
                            LocalSpark.session(),
                            catalog.iceberg(),
                            THINGS,
                            new Branches("staging", "main"),
                            table -> DeleteFormat.DELETION_VECTOR,
                            new PublishLimits(0, 10, 2))
                        .run(report -> {}))
                .as("commits")
                .hasSize(1));
    assertThat(ids()).hasSize(18).doesNotContain(3, 14);
  }

  @Test
  void anIndexThatWasBuiltOrReconciledKeepsItsFiles() throws IOException {
    fill(3, "main");
    IndexedTable names = names(plain);
    IndexBuilder.build(LocalSpark.session(), names);
    spoiled(INDEX, catalog -> IndexBuilder.build(LocalSpark.session(), names(catalog)));
    assertThat(IndexVerifier.verify(LocalSpark.session(), names).agrees()).isTrue();
    append("main", 20);
    spoiled(
        INDEX,
        catalog ->
            assertThat(IndexReconciler.reconcile(LocalSpark.session(), names(catalog)))
                .isInstanceOf(Reconciliation.CaughtUp.class));
    assertThat(IndexVerifier.verify(LocalSpark.session(), names).agrees()).isTrue();
  }
}
