package io.rowmark.integration.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.Main;
import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.Row;

/** The command line on an embedded catalog and a session that is there already. */
final class ConvertRun implements AutoCloseable {
  private final EmbeddedCatalog server;
  private final LocalCatalog catalog;
  private final String config;

  ConvertRun(Path folder) throws IOException {
    this.server = EmbeddedCatalog.start(folder.resolve("catalog"), 0);
    this.catalog = LocalSpark.catalog(server.clientProperties());
    StringBuilder properties = new StringBuilder();
    server
        .clientProperties()
        .forEach((key, value) -> properties.append("    %s = \"%s\"\n".formatted(key, value)));
    Path file = folder.resolve("shop.conf");
    Files.writeString(
        file,
        """
        pipeline = shop
        catalog { name = %s, properties {
        %s } }
        source.path = "/landing"
        ledger.table = "shop.ledger"
        table-defaults.readers = [spark]
        tables { "shop.things" { topic = things, key = [id] } }
        """
            .formatted(catalog.name(), properties));
    this.config = file.toString();
  }

  String uri() {
    return server.uri().toString();
  }

  LocalCatalog catalog() {
    return catalog;
  }

  Table table(String name) {
    return catalog.iceberg().loadTable(TableIdentifier.parse(name));
  }

  boolean exists(String name) {
    return catalog.iceberg().tableExists(TableIdentifier.parse(name));
  }

  List<Row> sql(String text) {
    return LocalSpark.session().sql(text.replace("$c", catalog.name())).collectAsList();
  }

  /** Runs a command that succeeds, and gives what it printed. */
  String run(String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("--config", config));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(out, true), new PrintWriter(err, true), line.toArray(String[]::new));
    assertThat(code).as(err.toString()).isZero();
    return out.toString();
  }

  @Override
  public void close() {
    server.close();
  }
}
