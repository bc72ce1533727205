package io.rowmark.app.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a real session, against a real embedded catalog. */
class TestSparkEngine {
  private Path dir = Path.of("");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void workIn(@TempDir Path folder) {
    dir = folder;
  }

  @AfterEach
  void stopSession() {
    if (SparkSession.getDefaultSession().isDefined()) {
      SparkSession.getDefaultSession().get().stop();
    }
  }

  @Test
  void indexIsBuiltFoundStaleAndReconciled() throws IOException {
    try (CatalogServer server = new SparkEngine().startCatalog(dir.resolve("catalog"))) {
      String config = config(server);
      SparkSession session = session(server);
      session.sql("create namespace lake.shop");
      session.sql("create table lake.shop.customers (id bigint not null) using iceberg");
      session.sql("insert into lake.shop.customers select id from range(0, 1000)");

      assertThat(run("index", "build", "--config", config, "--table", "shop.customers"))
          .as(err.toString())
          .isZero();
      assertThat(run("index", "verify", "--config", config, "--table", "shop.customers"))
          .as(err.toString())
          .isZero();
      session.sql("insert into lake.shop.customers values (5000)");
      assertThat(run("index", "verify", "--config", config, "--table", "shop.customers"))
          .isEqualTo(5);
      assertThat(run("index", "reconcile", "--config", config, "--table", "shop.customers"))
          .as(err.toString())
          .isZero();
      assertThat(run("index", "verify", "--config", config, "--table", "shop.customers"))
          .as(err.toString())
          .isZero();

      assertThat(out.toString())
          .contains("Index shop.customers__rowmark_index: 1,000 rows, 0 deleted keys, ")
          .contains(
              "Index shop.customers__rowmark_index matches table shop.customers: 1,000 rows"
                  + " compared, no difference.")
          .contains("a live row has no entry: position 0 of data file")
          .contains("0 data files gone, 1 read, 0 with other deletes; 0 entries dropped, 1 added")
          .contains("matches table shop.customers: 1,001 rows compared, no difference.");
      assertThat(err.toString())
          .contains("Failed (TABLE_STATE): Index shop.customers__rowmark_index does not match");
      // The session was there before the commands, so it is there after them.
      assertThat(session.range(2).count()).isEqualTo(2);
    }
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private String config(CatalogServer server) throws IOException {
    StringBuilder properties = new StringBuilder();
    server
        .properties()
        .forEach((key, value) -> properties.append("    %s = \"%s\"\n".formatted(key, value)));
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

  private static SparkSession session(CatalogServer server) {
    SparkSession session =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
            .getOrCreate();
    server
        .properties()
        .forEach((key, value) -> session.conf().set("spark.sql.catalog.lake." + key, value));
    session.conf().set("spark.sql.catalog.lake.cache-enabled", "false");
    return session;
  }
}
