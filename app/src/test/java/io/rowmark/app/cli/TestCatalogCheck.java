package io.rowmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.SparkEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestCatalogCheck {
  private static final Map<String, String> ANY =
      Map.of("type", "hadoop", "warehouse", "/warehouse");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path dir = Path.of("");

  @BeforeEach
  void workIn(@TempDir Path folder) {
    dir = folder;
  }

  private String config(Map<String, String> catalog) throws IOException {
    StringBuilder properties = new StringBuilder();
    catalog.forEach((key, value) -> properties.append("%s = \"%s\"\n".formatted(key, value)));
    Path file = dir.resolve("shop.conf");
    Files.writeString(
        file,
        """
        pipeline = shop
        catalog { name = lake, properties {
        %s } }
        source.path = "/landing"
        ledger.table = "shop.ledger"
        table-defaults.readers = [spark]
        tables { "shop.customers" { topic = customers, key = [id] } }
        """
            .formatted(properties));
    return file.toString();
  }

  private Cli.Ended check(Engine engine, Map<String, String> catalog, String... args)
      throws IOException {
    List<String> line = new ArrayList<>(List.of("check", "--config", config(catalog)));
    line.addAll(List.of(args));
    return Cli.run(engine, new PrintWriter(out), new PrintWriter(err), line.toArray(String[]::new));
  }

  @Test
  void theEmbeddedCatalogIsTriedWithoutASession() throws IOException {
    try (EmbeddedCatalog server = EmbeddedCatalog.start(dir.resolve("catalog"), 0)) {
      Cli.Ended ended =
          check(
              new SparkEngine(),
              server.clientProperties(),
              "--catalog",
              "--namespace",
              "tmp.probe");
      assertThat(ended).as(err.toString()).isEqualTo(new Cli.Ended(0, null));
    }
    assertThat(out.toString().lines())
        .startsWith("Catalog lake (RESTCatalog), tried with scratch tables in namespace tmp.probe:")
        .contains(
            "  yes        create a table of format version 3: created, and loaded with that version",
            "  yes        commit a deletion vector: committed, and read back with its row gone",
            "  yes        offer the multi-table commit: /v1/config lists it; Iceberg's client uses it")
        .endsWith(
            "Protocol of ingest: atomic (the catalog claims that its multi-table commit is"
                + " atomic).");
  }

  @Test
  void whatWasSeenAndWhatFollowsIsPrinted() throws IOException {
    RecordedEngine engine = RecordedEngine.working();
    Cli.Ended ended = check(engine, ANY, "--catalog", "--namespace", "tmp.probe");

    assertThat(ended).isEqualTo(new Cli.Ended(0, null));
    assertThat(engine.asked).containsExactly("probe tmp.probe");
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString().lines())
        .containsExactly(
            "Catalog lake (RESTCatalog), tried with scratch tables in namespace tmp.probe:",
            "  yes        create a table of format version 2: created",
            "  WRONG      create a table of format version 3: created as another",
            "Protocol of ingest: ordered (commit.mode = ordered).",
            "Do better.",
            "Could not be removed; remove by hand:",
            "  table s.t (gone)");
  }

  @Test
  void aCatalogOnWhichIngestWouldNotBeSafeFailsTheCommand() throws IOException {
    Cli.Ended ended = check(RecordedEngine.working(), ANY, "--catalog", "--namespace", "unsafe");

    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(out.toString()).contains("Protocol of ingest: ordered");
    assertThat(err.toString())
        .contains("Failed (CONFIG): Catalog lake is not safe for ingest as configured. Do better.")
        .contains("No data was read or written.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--catalog --namespace a..b | --namespace is 'a..b', but must be names separated by dots.",
        "--catalog --namespace a. | --namespace is 'a.', but must be names separated by dots.",
        "--catalog | --catalog needs --namespace: where scratch tables may be created.",
        "shop.t --namespace a | --namespace goes with --catalog only.",
        "shop.t --catalog --namespace a | --catalog tries the catalog itself: TABLE, --readers,",
        "--json --catalog --namespace a | --catalog tries the catalog itself: TABLE, --readers,",
        "--stacktrace | Name a table, or --catalog with --namespace."
      })
  void wrongOptionsAreToldBeforeAnyServiceIsAsked(String options, String message)
      throws IOException {
    RecordedEngine engine = RecordedEngine.working();
    Cli.Ended ended = check(engine, ANY, options.split(" "));

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(engine.asked).isEmpty();
    assertThat(err.toString()).contains(message);
  }
}
