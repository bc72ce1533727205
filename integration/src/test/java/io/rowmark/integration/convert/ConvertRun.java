package io.rowmark.integration.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.command.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.Row;

/** The command line on an embedded catalog and a session that is there already. */
final class ConvertRun implements AutoCloseable {
  private final EmbeddedCatalog server;
  private final LocalCatalog catalog;
  private final Path config;

  ConvertRun(Path folder) throws IOException {
    this.server = EmbeddedCatalog.start(folder.resolve("catalog"), 0);
    this.catalog = LocalSpark.catalog(server.clientProperties());
    this.config =
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
    CommandRun done = CommandRun.of(config, words);
    assertThat(done.code()).as(done.err()).isZero();
    return done.out();
  }

  @Override
  public void close() {
    server.close();
  }
}
