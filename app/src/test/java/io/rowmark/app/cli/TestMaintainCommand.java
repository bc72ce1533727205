package io.rowmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line asks of maintenance. */
class TestMaintainCommand {
  private final RecordedEngine engine = RecordedEngine.working();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  private int run(String... words) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("shop.conf"),
            """
            pipeline = shop
            catalog.properties { type = hadoop, warehouse = "/warehouse" }
            source.path = "/landing"
            ledger.table = "shop.ledger"
            table-defaults.readers = [spark]
            tables {
              "shop.customers" { topic = customers, key = [id] }
              "shop.events" { topic = events, mode = append-only }
            }
            """);
    String[] line = Arrays.copyOf(words, words.length + 2);
    line[words.length] = "--config";
    line[words.length + 1] = file.toString();
    return Cli.run(engine, new PrintWriter(out), new PrintWriter(err), line).exitCode();
  }

  @Test
  void everyTableIsMaintainedInEveryWayUnlessOneIsNamed() throws IOException {
    assertThat(run("maintain")).isZero();
    assertThat(
            run(
                "maintain",
                "--table",
                "shop.events",
                "--only",
                "index,files",
                "--max-bytes",
                "1 GiB",
                "--max-commits",
                "2",
                "--dry-run"))
        .isZero();
    assertThat(engine.asked)
        .containsExactly(
            "maintain [shop.customers, shop.events] [FILES, INDEX, LEDGER, EXPIRE, ORPHANS] 34359738368 bytes 1000000 commits",
            "outlook [shop.events] [FILES, INDEX] 1073741824 bytes 2 commits");
  }

  @Test
  void anEmptyResultIsJsonToo() throws IOException {
    assertThat(run("maintain", "--json")).isZero();
    assertThat(out.toString()).contains("\"tables\" : [ ]");
  }

  @Test
  void whatIsNoTaskIsToldWithTheKnownOnes() throws IOException {
    assertThat(run("maintain", "--only", "vacuum")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "--only names 'vacuum', which is no task. Known: files, index, ledger, expire, orphans.");
    assertThat(run("maintain", "--max-commits", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("--max-commits is 0, but must be at least 1.");
    assertThat(engine.asked).isEmpty();
  }

  @Test
  void aShareMustBeOne() throws IOException {
    assertThat(run("maintain", "--set", "maintain.dead-share=0")).isEqualTo(3);
    assertThat(err.toString())
        .contains("maintain.dead-share is '0', but must be above 0 and up to 1.");
  }
}
