package io.rowmark.integration.care;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.DuplicateKeys;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.PairCommit;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.reconcile.IndexReconciler;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.Declared;
import io.rowmark.integration.command.CommandRun;
import io.rowmark.merge.commit.KeyPolicy;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CatalogSpec;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.RejectSpec;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look after an index, on an embedded catalog that commits tables as one. */
class TestIndexCare {
  private static EmbeddedCatalog server;
  private static LocalCatalog catalog;
  private static Path config;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    server = EmbeddedCatalog.start(folder.resolve("catalog"), 0);
    catalog = LocalSpark.catalog(server.clientProperties());
    config =
        Files.writeString(
            folder.resolve("shop.conf"),
            CommandRun.catalog(catalog.name(), server.clientProperties())
                + """
                pipeline = shop
                source.path = "/landing"
                ledger.table = "shop.ledger"
                table-defaults.readers = [spark]
                tables { "shop.things" { topic = things, key = [id] } }
                """);
    LocalSpark.session().sql("CREATE NAMESPACE %s.shop".formatted(catalog.name()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static IndexFixture filled(String name) {
    IndexFixture fixture = new IndexFixture(LocalSpark.session(), catalog, name, "id");
    fixture.sql(
        "CREATE TABLE $t (id INT NOT NULL, v STRING) USING iceberg TBLPROPERTIES ('format-version'='3', 'write.delete.mode'='merge-on-read')");
    fixture.sql("INSERT INTO $t SELECT CAST(id AS INT), 'v' FROM range(50)");
    return fixture;
  }

  private static CommandRun index(String command, String... more) {
    List<String> words = new ArrayList<>(List.of("index", command, "--table", "shop.things"));
    words.addAll(List.of(more));
    return CommandRun.of(config, words.toArray(String[]::new));
  }

  @Test
  void repeatedKeysAndDamageAreFoundMendedAndTold() {
    IndexFixture things = filled("things");
    assertThat(index("build").code()).isZero();
    assertThat(index("duplicates").out()).contains("Table shop.things: no key has several rows");

    things.sql("INSERT INTO $t VALUES (7, 'again'), (100, 'new')");
    CommandRun found = index("duplicates", "--json");
    assertThat(found.code()).isEqualTo(5);
    assertThat(found.out()).contains("\"keys\" : 1", "\"olderRows\" : 1");
    assertThat(found.err()).contains("1 keys with several rows", "duplicate-keys = keep-newest");
    assertThat(index("reconcile").code()).isEqualTo(5);

    CommandRun settled = index("reconcile", "--set", "table-defaults.duplicate-keys=keep-newest");
    assertThat(settled.code()).as(settled.err()).isZero();
    assertThat(settled.out())
        .contains("Deleted from the table: 1 rows of 1 keys that a newer row has, as at position ");
    assertThat(things.value("SELECT v FROM $t WHERE id = 7")).isEqualTo("again");
    assertThat(index("verify").out()).contains("51 rows compared, no difference");

    things.sql("DELETE FROM $i WHERE id IN (3, 4)");
    CommandRun damaged = index("verify", "--json");
    assertThat(damaged.code()).isEqualTo(5);
    assertThat(damaged.out()).contains("\"agrees\" : false", "\"missing-entry\" : 2");
    CommandRun looked = index("repair", "--dry-run", "--json");
    assertThat(looked.code()).isEqualTo(5);
    assertThat(looked.out()).contains("\"outcome\" : \"differs\"", "\"missing-entry\" : 2");
    CommandRun mended = index("repair", "--json");
    assertThat(mended.code()).as(mended.err()).isZero();
    assertThat(mended.out()).contains("\"outcome\" : \"mended\"", "\"entriesAdded\" : 2");
    assertThat(index("verify").code()).isZero();
    assertThat(index("repair").out()).contains("matches table shop.things; nothing was done");

    CommandRun history = index("history", "--key", "id=7", "--json");
    assertThat(history.code()).isZero();
    assertThat(history.out()).contains("\"deleted\" : false", "\"indexSnapshotsWithoutClaim\" : 1");
    assertThat(index("history", "--key", "id=7").out())
        .contains(": position ", "keeps 3 snapshots, back to ");
  }

  private static PipelineSpec pipeline(TableSpec table) {
    return new PipelineSpec(
        "shop",
        new CatalogSpec(catalog.name(), Map.of()),
        new SourceSpec("debezium-json", "/landing", "__unavailable"),
        List.of(table),
        "shop.ledger",
        new IndexSpec("__rowmark_index", IndexSpec.Order.KEPT, IndexSpec.DEFAULT_MERGE_RUNS),
        new BatchSpec(100, 1L << 30, BatchSpec.DEFAULT_DRIVER_EVENTS),
        new CommitSpec(CommitSpec.Mode.AUTO, 3),
        new RejectSpec("", 0, RejectSpec.Content.REASON_ONLY),
        Declared.capabilities());
  }

  private static TableSpec keepingNewest(IndexFixture fixture) {
    return new TableSpec(
        "t",
        fixture.names().data().toString(),
        TableSpec.Mode.KEYED,
        List.of("id"),
        Map.of(),
        List.of(),
        Map.of(),
        TableSpec.SchemaPolicy.EVOLVE,
        TableSpec.TruncatePolicy.APPLY,
        TableFeed.WHOLE_TOPIC,
        Declared.positional(3),
        KeptRows.NONE,
        TableSpec.DuplicateKeys.KEEP_NEWEST);
  }

  private static IndexedTable with(IndexFixture fixture, PairCommit commit) {
    IndexedTable names = fixture.names();
    return new IndexedTable(
        names.catalog(),
        names.sparkCatalog(),
        names.data(),
        names.index(),
        names.key(),
        new DuplicateKeys.KeepNewest(commit));
  }

  /** Ordered commits would have deleted the row before they met the index. */
  @Test
  void wherePossibleTheDeletesAreCommittedWithTheIndexOrNotAtAll() {
    IndexFixture fixture = filled("pair");
    IndexBuilder.build(LocalSpark.session(), fixture.names());
    fixture.sql("INSERT INTO $t VALUES (7, 'again')");
    long before = fixture.data().currentSnapshot().snapshotId();
    TableSpec table = keepingNewest(fixture);
    DuplicateKeys policy = KeyPolicy.of(pipeline(table), table, catalog.iceberg());
    PairCommit atomic = ((DuplicateKeys.KeepNewest) policy).commit();
    PairCommit raced =
        (iceberg, data, index) -> {
          Table other = iceberg.loadTable(index.name());
          RowDelta claim = other.newRowDelta();
          IndexTables.state(other).coverage().orElseThrow().toSummary().forEach(claim::set);
          claim.commit();
          return atomic.commit(iceberg, data, index);
        };
    assertThatThrownBy(() -> IndexReconciler.reconcile(LocalSpark.session(), with(fixture, raced)))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.CONFLICT))
        .hasMessageContaining("nothing was committed");
    assertThat(fixture.data().currentSnapshot().snapshotId()).isEqualTo(before);

    IndexReconciler.reconcile(LocalSpark.session(), with(fixture, atomic));

    assertThat(fixture.value("SELECT v FROM $t WHERE id = 7")).isEqualTo("again");
    assertThat(fixture.data().currentSnapshot().parentId()).isEqualTo(before);
    assertThat(IndexTables.state(fixture.index()).coverage().orElseThrow().dataSnapshotId())
        .isEqualTo(fixture.data().currentSnapshot().snapshotId());
  }
}
