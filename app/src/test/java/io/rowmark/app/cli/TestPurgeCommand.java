package io.rowmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command asks for, and what it prints. */
class TestPurgeCommand {
  private final RecordedEngine engine = RecordedEngine.working();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path config = Path.of("");

  @BeforeEach
  void writeConfiguration(@TempDir Path folder) throws IOException {
    config =
        Files.writeString(
            folder.resolve("shop.conf"),
            """
            pipeline = shop
            catalog { name = lake, properties { type = hadoop, warehouse = "/lake" } }
            source.path = "/landing"
            ledger.table = "shop.ledger"
            table-defaults.readers = [spark]
            tables {
              "shop.customers" { topic = customers, key = [id] }
              "shop.events" { topic = events, mode = append-only }
            }
            """);
  }

  private int run(String table, String keys, String... more) {
    String[] line = {"purge", "--config", config.toString(), "--table", table, "--keys", keys};
    String[] words = java.util.Arrays.copyOf(line, line.length + more.length);
    System.arraycopy(more, 0, words, line.length, more.length);
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Cli.run(engine, new PrintWriter(out), new PrintWriter(err), words).exitCode();
  }

  @Test
  void aPurgeIsPrintedWithWhatMustStillExpire() {
    assertThat(run("shop.customers", "/k.csv")).as(err.toString()).isZero();
    assertThat(engine.asked).containsExactly("purge shop.customers /k.csv");
    assertThat(out.toString().lines())
        .containsExactly(
            "Table shop.customers, 2 keys",
            "  in the table   1 rows, and 3 deleted ones that still lie in live files; in 2 data files, of 9 whose keys were read (4,000 bytes)",
            "  in the index   1 entries, 1 of deleted keys, and 4 deleted ones that still lie there; in 2 index files, of 2 whose keys were read",
            "  written        1 data files in the place of 2, with 1,200 rows that stay; 3 index files in the place of 3, 1,200 entries moved; 5,000 bytes",
            "  commit         purge-1, atomic: snapshot 7 of the table, 8 of its index",
            "  still retained 1 files that hold a key:",
            "    s3://lake/a.parquet (shop.customers, rows): still retained by snapshots 5, 6; audit",
            "  look also at   landed files: /landing, topic customers",
            "shop.customers: purged in 1.5 s. Expire the snapshots of the table and of its index, then run the same with --prove.");
  }

  @Test
  void aDryRunChangesNothing() {
    assertThat(run("shop.customers", "/k.csv", "--dry-run")).isZero();
    assertThat(engine.asked).containsExactly("outlook of a purge shop.customers /k.csv");
    assertThat(out.toString())
        .contains("a purge would take them out of these files; nothing was changed");
    assertThat(run("shop.customers", "/k.csv", "--dry-run", "--json")).isZero();
    assertThat(out.toString()).contains("\"deadRows\" : 3", "\"done\" : null");
  }

  @Test
  void aProofThatFailsEndsWithAnExitCode() {
    assertThat(run("shop.customers", "/k.csv", "--prove")).isEqualTo(5);
    assertThat(out.toString())
        .contains("3 snapshots name 12 files, 5 were read (4,000 bytes)", "not proven");
    assertThat(err.toString())
        .contains("1 files that snapshots still name hold one, 0 of them live. Expire");
    assertThat(run("shop.customers", "/gone.csv", "--prove")).isZero();
    assertThat(out.toString()).contains("no file that a snapshot names holds one of the keys");
    assertThat(run("shop.customers", "/gone.csv", "--prove", "--json")).isZero();
    assertThat(out.toString()).contains("\"proven\" : true");
  }

  @Test
  void wrongCommandLinesAreTold() {
    assertThat(run("shop.events", "/k.csv")).isEqualTo(3);
    assertThat(err.toString()).contains("append-only", "no key");
    assertThat(run("shop.other", "/k.csv")).isEqualTo(3);
    assertThat(run("shop.customers", "/k.csv", "--prove", "--dry-run")).isEqualTo(2);
    assertThat(err.toString()).contains("leave out --dry-run");
    assertThat(engine.asked).isEmpty();
  }
}
