package io.rowmark.integration.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Append-only Iceberg tables whose rows are changes, as sources. */
class TestChangelogTables {
  @TempDir private static Path catalogFolder;
  private static EmbeddedCatalog embedded;
  private static int runs;

  @TempDir private Path folder;
  private SourceRun run;

  @BeforeAll
  static void startCatalog() {
    LocalSpark.session();
    embedded = EmbeddedCatalog.start(catalogFolder, 0);
  }

  @AfterAll
  static void stopCatalog() {
    embedded.close();
  }

  /** As the sinks write them that hold a struct with operation and offset beside the columns. */
  @BeforeEach
  void makeSource() {
    run =
        new SourceRun(folder, embedded.clientProperties(), "changelog" + ++runs)
            .set(
                """
                source.envelope {
                  like = flat
                  op { path = _cdc.op, codes { I = insert, U = update, D = delete } }
                  order = ["_cdc.offset number"]
                  exclude = [_cdc]
                }
                """);
    run.sql(
        """
        CREATE TABLE $s (id bigint, label string, weight int, _cdc struct<op: string, offset: bigint>)
        TBLPROPERTIES ('format-version' = '2')""");
  }

  /** Rows as {@code (id, label, weight, op, offset)}. */
  private void append(String... rows) {
    StringBuilder selects = new StringBuilder();
    for (String row : rows) {
      String[] values = row.split(", ");
      selects
          .append(selects.isEmpty() ? "" : " UNION ALL ")
          .append(
              "SELECT %s, %s, %s, named_struct('op', '%s', 'offset', %sL)"
                  .formatted((Object[]) values));
    }
    run.sql("INSERT INTO $s " + selects);
  }

  private List<String> rows() {
    return run.sql("SELECT * FROM $t ORDER BY id").stream().map(Object::toString).toList();
  }

  @Test
  void eachRowIsAChangeAndEachSnapshotGoesInOnce() throws IOException {
    append("1, 'a', 1, I, 9", "1, 'a2', 2, U, 10", "2, 'b', 2, I, 11", "2, 'b', 2, D, 12");
    append("3, 'c', 3, I, 3", "1, 'a', 1, I, 9", "4, null, null, D, 13");
    long first = run.head();
    assertThat(run.ingest()).containsEntry("input-files", 1L).containsEntry("events", 7L);
    assertThat(rows()).containsExactly("[1,a2,2]", "[3,c,3]");
    run.ingestNothing();

    append("3, 'c2', 4, U, 20");
    long second = run.head();
    append("1, null, null, D, 30", "5, 'e', 5, I, 31");
    long third = run.head();
    assertThat(run.ingest()).containsEntry("input-files", 2L).containsEntry("events", 3L);

    assertThat(rows()).containsExactly("[3,c2,4]", "[5,e,5]");
    String source = run.source().toString();
    assertThat(run.inputs())
        .containsExactly(source + "#1@" + first, source + "#2@" + second, source + "#3@" + third);
    run.ingestNothing();
  }

  @Test
  void aLateRowOfALaterSnapshotLoses() throws IOException {
    append("1, 'new', 1, U, 20");
    run.ingest();
    append("1, 'old', 1, U, 10");

    run.ingest();

    assertThat(rows()).containsExactly("[1,new,1]");
  }

  @Test
  void aCompactionIsNoChange() throws IOException {
    append("1, 'a', 1, I, 1");
    append("2, 'b', 2, I, 2");
    run.ingest();
    run.call("rewrite_data_files", ", options => map('rewrite-all', 'true')");
    run.ingestNothing();

    append("3, 'c', 3, I, 3");
    run.call("rewrite_data_files", ", options => map('rewrite-all', 'true')");

    assertThat(run.ingest()).containsEntry("events", 1L);
    assertThat(rows()).containsExactly("[1,a,1]", "[2,b,2]", "[3,c,3]");
  }

  @Test
  void aBatchTakesAsManySnapshotsAsItMay() throws IOException {
    append("1, 'a', 1, I, 1");
    run.ingest();
    append("1, 'b', 1, U, 2");
    append("1, 'c', 1, U, 3");
    run.set("batch.max-files = 1");

    run.ingest();
    assertThat(rows()).containsExactly("[1,b,1]");

    run.ingest();
    assertThat(rows()).containsExactly("[1,c,1]");
    run.ingestNothing();
  }

  @Test
  void aBatchTakesSnapshotsWhileTheirRowsStayWithinTheLimit() throws IOException {
    append("1, 'a', 1, I, 1");
    run.ingest();
    append("2, 'b', 1, I, 2", "3, 'c', 1, I, 3");
    append("4, 'd', 1, I, 4", "5, 'e', 1, I, 5");
    append("6, 'f', 1, I, 6");
    run.set("batch.max-records = 3");

    assertThat(run.ingest()).containsEntry("input-files", 1L).containsEntry("events", 2L);
    assertThat(run.ingest()).containsEntry("input-files", 2L).containsEntry("events", 3L);
    run.ingestNothing();
  }

  @Test
  void rowsThatAreTakenOutStopTheBatchUnlessToldOtherwise() throws IOException {
    append("1, 'a', 1, I, 1");
    append("2, 'b', 2, I, 2");
    run.ingest();
    run.sql("DELETE FROM $s WHERE id = 1");
    long delete = run.head();
    append("3, 'c', 3, I, 3");

    run.ingestRefused(
        "Snapshot %d of source table".formatted(delete),
        "takes rows out",
        "source.iceberg.removals = ignore");

    run.set("source.iceberg.removals = ignore");
    assertThat(run.ingest()).containsEntry("events", 1L);
    assertThat(rows()).containsExactly("[1,a,1]", "[2,b,2]", "[3,c,3]");
  }

  @Test
  void expiredSnapshotsThatWereNotReadAreToldOf() throws IOException {
    append("1, 'a', 1, I, 1");
    run.ingest();
    append("2, 'b', 2, I, 2");
    append("3, 'c', 3, I, 3");
    long last = run.head();
    append("4, 'd', 4, I, 4");
    run.call("expire_snapshots", ", TIMESTAMP '2100-01-01', 2");

    run.ingestRefused(
        "of source table " + run.source(),
        "is not in the table's history any more",
        "history.expire.max-snapshot-age-ms",
        "set start-snapshot of table " + run.target());

    run.set("tables.\"%s\".start-snapshot = %d".formatted(run.target(), last));
    run.ingest();
    assertThat(rows()).as("what expired is missing").containsExactly("[1,a,1]", "[4,d,4]");
    append("5, 'e', 5, I, 5");
    run.ingest();
    assertThat(rows()).containsExactly("[1,a,1]", "[4,d,4]", "[5,e,5]");
  }

  @Test
  void theLastSnapshotReadMayExpire() throws IOException {
    append("1, 'a', 1, I, 1");
    run.ingest();
    append("2, 'b', 2, I, 2");
    run.call("expire_snapshots", ", TIMESTAMP '2100-01-01', 1");

    run.ingest();

    assertThat(rows()).containsExactly("[1,a,1]", "[2,b,2]");
  }

  @Test
  void aChangelogThatWasRolledBackStopsTheBatch() throws IOException {
    append("1, 'a', 1, I, 1");
    long before = run.head();
    append("2, 'b', 2, I, 2");
    run.ingest();
    run.call("rollback_to_snapshot", ", %d".formatted(before));
    append("3, 'c', 3, I, 3");

    run.ingestRefused("was rolled back or set to another snapshot", "cannot be undone");
  }

  @Test
  void aTableWithoutKeyTakesEachRow() throws IOException {
    append("1, 'a', 1, I, 1", "1, 'a', 1, I, 2");
    run.set(
        "tables.\"%s\" { mode = append-only, key = [], delete-format = auto }"
            .formatted(run.target()));
    run.ingest();
    append("1, 'a', 1, I, 3");

    run.ingest();

    assertThat(rows()).containsExactly("[1,a,1]", "[1,a,1]", "[1,a,1]");
  }

  @Test
  void aSourceTableThatDoesNotExistIsNamed() throws IOException {
    run.set("tables.\"%s\".topic = \"nowhere.raw\"".formatted(run.target()));

    run.run("ingest");

    assertThat(run.said()).contains("Source table nowhere.raw of table", "Correct its topic.");
  }
}
