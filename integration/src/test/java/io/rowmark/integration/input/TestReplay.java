package io.rowmark.integration.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs that are brought again, after a table lost what it had of them. */
class TestReplay {
  private static final int CONFIG = 3;
  private static final int SOURCE = 4;
  private static final int TABLE_STATE = 5;
  private static final String COLUMNS = "columns { id = long, amount = long, note = string }";
  private static final String KEYED = "key = [id], " + COLUMNS;
  private static final String APPEND_ONLY = "mode = append-only, " + COLUMNS;
  private static final String LEFT_OUT = "\"__debezium_unavailable_value\"";

  @TempDir private static Path catalogFolder;
  private static EmbeddedCatalog embedded;
  private static int projects;

  @TempDir private Path folder;
  private Project project;

  @BeforeAll
  static void startCatalog() {
    LocalSpark.session();
    embedded = EmbeddedCatalog.start(catalogFolder, 0);
  }

  @AfterAll
  static void stopCatalog() {
    embedded.close();
  }

  @BeforeEach
  void makeProject() {
    project = new Project(folder, "replay" + ++projects, embedded);
  }

  private String put(int id, int amount, String note) {
    return project
        .insert("{\"id\":%d,\"amount\":%d,\"note\":%s}".formatted(id, amount, note))
        .replace("\"op\":\"c\"", "\"op\":\"u\"");
  }

  private String put(int id, int amount) {
    return put(id, amount, "\"n" + amount + "\"");
  }

  private String row(int id) {
    return project.insert("{\"id\":%d,\"amount\":%d,\"note\":\"x\"}".formatted(id, id));
  }

  private String delete(int id) {
    return project
        .insert("null")
        .replace("\"before\":null", "\"before\":{\"id\":%d}".formatted(id))
        .replace("\"op\":\"c\"", "\"op\":\"d\"");
  }

  private String truncate() {
    return project.insert("null").replace("\"op\":\"c\"", "\"op\":\"t\"");
  }

  private void ingest(String file, String... events) throws IOException {
    project.land(file, events);
    assertThat(project.run("ingest")).as(project.err()).isZero();
  }

  private List<Row> sql(String text) {
    String namespace = project.sparkTable().replace(".accounts", "");
    return LocalSpark.session()
        .sql(
            text.replace("$t", project.sparkTable())
                .replace("$l", namespace + ".ledger")
                .replace("$c", namespace.substring(0, namespace.indexOf('.'))))
        .collectAsList();
  }

  private List<String> rows() {
    return sql("SELECT id, amount, note FROM $t ORDER BY id, amount").stream()
        .map(Row::toString)
        .toList();
  }

  private long head() {
    return sql("SELECT snapshot_id FROM $t.history ORDER BY made_current_at DESC LIMIT 1")
        .get(0)
        .getLong(0);
  }

  private void rollBack(long snapshot) {
    sql("CALL $c.system.rollback_to_snapshot('%s', %d)".formatted(project.table(), snapshot));
  }

  /** Id of the batch that brought an input first. */
  private String batch(String file) {
    return sql("SELECT min_by(batch_id, recorded_at) FROM $l WHERE input = 'accounts/%s'"
            .formatted(file))
        .get(0)
        .getString(0);
  }

  private void replay(String... more) {
    assertThat(project.run(command(more))).as(project.err()).isZero();
  }

  private static String[] command(String... more) {
    List<String> all = new java.util.ArrayList<>(List.of("replay", "--apply"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private void replayRefused(int exitCode, String reason, String... more) {
    var before = project.state();
    assertThat(project.run(command(more))).as(project.err()).isEqualTo(exitCode);
    assertThat(project.err()).contains(reason);
    assertThat(project.state()).isEqualTo(before);
  }

  private void indexAgrees() {
    assertThat(project.run("index", "verify", "--table", project.table()))
        .as(project.err())
        .isZero();
  }

  @Tag("long")
  @Test
  void soItDoesWithTheOrderedProtocol() throws IOException {
    aTableThatWasSetBackGetsItsChangesAgain("ordered");
  }

  @ParameterizedTest
  @ValueSource(strings = "atomic")
  void aTableThatWasSetBackGetsItsChangesAgain(String mode) throws IOException {
    project.configure(KEYED, "commit.mode = " + mode);
    ingest("a.json", put(1, 1), put(2, 2), put(3, 3), put(5, 5));
    long afterFirst = head();
    ingest("b.json", put(1, 10), delete(2), put(4, 4), put(5, 50));
    // a value that is left out, twice in a row, and a key that dies and lives again
    ingest("c.json", put(1, 11, LEFT_OUT), delete(4), delete(3));
    ingest("d.json", put(1, 12, LEFT_OUT), put(3, 33));
    List<String> expected = rows();
    assertThat(expected).containsExactly("[1,12,n10]", "[3,33,n33]", "[5,50,n50]");
    String first = batch("b.json");
    rollBack(afterFirst);
    var before = project.state();

    assertThat(project.run("replay", "--from-batch", first)).as(project.err()).isZero();
    assertThat(project.out())
        .contains("A replay would bring 3 inputs, ", " in 3 batches:")
        .contains(first, "accounts/b.json", "there", "lost")
        .contains("would be set back to snapshot")
        .contains("Nothing was changed; --apply does it.");
    assertThat(project.state()).as("nothing is done without --apply").isEqualTo(before);

    replay("--from-batch", first);

    assertThat(project.out()).contains("Replayed 3 batches.");
    assertThat(rows()).isEqualTo(expected);
    indexAgrees();
    assertThat(
            sql(
                "SELECT input, count(DISTINCT batch_id) FROM $l WHERE status = 'DONE' GROUP BY 1 ORDER BY 1"))
        .extracting(Row::toString)
        .containsExactly(
            "[accounts/a.json,1]",
            "[accounts/b.json,2]",
            "[accounts/c.json,2]",
            "[accounts/d.json,2]");

    assertThat(project.run("ingest")).as(project.err()).isZero();
    assertThat(project.out()).contains("Nothing new");
    replay("--from-batch", first);
    assertThat(rows()).as("what is there changes nothing").isEqualTo(expected);
    indexAgrees();
  }

  @Test
  void aTruncateThatWasLostEmptiesTheTableAgain() throws IOException {
    project.configure(KEYED);
    ingest("a.json", put(1, 1), put(2, 2));
    long afterFirst = head();
    ingest("b.json", put(1, 10), truncate(), put(3, 3));
    assertThat(rows()).containsExactly("[3,3,n3]");
    rollBack(afterFirst);
    assertThat(rows()).hasSize(2);

    replay("--from-batch", batch("b.json"));

    assertThat(rows()).containsExactly("[3,3,n3]");
    indexAgrees();
  }

  @Test
  void rowsThatSomeoneDeletedComeBack() throws IOException {
    project.configure(KEYED);
    ingest("a.json", put(1, 1), put(2, 2));
    ingest("b.json", put(1, 10));
    sql("DELETE FROM $t WHERE id IN (1, 2)");

    replay("--input", "accounts/*.json", "--table", project.table());

    assertThat(rows()).containsExactly("[1,10,n10]", "[2,2,n2]");
    indexAgrees();
  }

  @Test
  void aRangeIsChosenByTheTimeOfRecording() throws IOException {
    project.configure(KEYED);
    ingest("a.json", put(1, 1));
    ingest("b.json", put(2, 2));
    String recorded =
        sql("SELECT date_format(min(recorded_at), \"yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'\") FROM $l WHERE input = 'accounts/b.json'")
            .get(0)
            .getString(0);

    assertThat(project.run("replay", "--to", recorded)).as(project.err()).isZero();
    assertThat(project.out()).contains("accounts/a.json").doesNotContain("accounts/b.json");
    assertThat(project.run("replay", "--from", recorded)).as(project.err()).isZero();
    assertThat(project.out()).contains("accounts/b.json").doesNotContain("accounts/a.json");
    assertThat(project.run("replay", "--from", "2099-01-01T00:00:00Z")).isEqualTo(CONFIG);
    assertThat(project.err()).contains("The ledger has no input in this range.");
    assertThat(project.run("replay", "--from-batch", "nobody")).isEqualTo(CONFIG);
    assertThat(project.err()).contains("The ledger has no batch 'nobody'.");
  }

  @Test
  void aTableThatTookBatchesAfterItWasSetBackIsRefused() throws IOException {
    project.configure(KEYED);
    ingest("a.json", put(1, 1));
    long afterFirst = head();
    ingest("b.json", put(1, 10));
    rollBack(afterFirst);
    ingest("c.json", put(2, 2));

    replayRefused(
        TABLE_STATE,
        "lost batch %s and took batch %s after that".formatted(batch("b.json"), batch("c.json")),
        "--from-batch",
        batch("b.json"));

    rollBack(afterFirst);
    replay("--from-batch", batch("b.json"));
    assertThat(rows()).containsExactly("[1,10,n10]", "[2,2,n2]");
    indexAgrees();
  }

  @Test
  void rowsWithoutAKeyAreBroughtOnlyWhereTheyWereLost() throws IOException {
    project.configure(APPEND_ONLY);
    ingest("a.json", row(1));
    long afterFirst = head();
    ingest("b.json", row(2), row(2));
    ingest("c.json", row(3));
    List<String> expected = rows();
    String first = batch("b.json");
    String twice = "is append-only, and has the rows of input 'accounts/b.json'";
    replayRefused(TABLE_STATE, twice, "--from-batch", first);

    rollBack(afterFirst);
    replayRefused(TABLE_STATE, "has the rows of input 'accounts/a.json'", "--input", "**/*.json");
    replay("--from-batch", first);

    assertThat(rows()).isEqualTo(expected);
    // as after a replay that was cut off: what is back is not brought once more
    replay("--from-batch", first);
    assertThat(rows()).isEqualTo(expected);

    sql(
        "CALL $c.system.expire_snapshots(table => '%s', older_than => now(), retain_last => 1)"
            .formatted(project.table()));
    replayRefused(
        TABLE_STATE, "may have, as its older snapshots were expired", "--to-batch", first);
  }

  @Test
  void withoutOrdersTheRangeMustReachToTheNewestBatch() throws IOException {
    project.configure(KEYED, "index.keep-order = false");
    ingest("a.json", put(1, 1));
    long afterFirst = head();
    ingest("b.json", put(1, 10), put(2, 20));
    ingest("c.json", put(1, 11));
    List<String> expected = rows();
    rollBack(afterFirst);

    replayRefused(
        TABLE_STATE,
        "keeps no order of changes, so the batch that comes last wins",
        "--input",
        "accounts/b.json");
    replay("--from-batch", batch("b.json"));

    assertThat(rows()).isEqualTo(expected);
    indexAgrees();
  }

  @Test
  void filesThatAreGoneOrOthersAreNamedAndNothingIsDone() throws IOException {
    project.configure(KEYED);
    ingest("a.json", put(1, 1));
    ingest("b.json", put(2, 2));
    Files.delete(project.landing().resolve("accounts/a.json"));

    assertThat(project.run("replay", "--input", "**")).isEqualTo(SOURCE);
    assertThat(project.out()).contains("missing", "there", "Refused: 1 inputs of the range are");
    replayRefused(SOURCE, "as 'accounts/a.json'", "--input", "**");

    project.land("a.json", put(1, 1), put(1, 2));
    replayRefused(SOURCE, "as 'accounts/a.json'", "--input", "accounts/a.json");
  }
}
