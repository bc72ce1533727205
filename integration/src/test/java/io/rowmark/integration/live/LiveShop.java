package io.rowmark.integration.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.command.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;

/** The command line on a pipeline that follows the live database, in an embedded catalog. */
final class LiveShop implements AutoCloseable {
  /** Prefix of the topics, name of the pipeline and of the tables' namespace. */
  static final String NAME = "live";

  static final List<String> KEYED =
      List.of("pgbench_accounts", "pgbench_tellers", "pgbench_branches", "orders", "order_lines");
  static final String HISTORY = "pgbench_history";
  static final String LEDGER = "ledger";

  /** Whether batches are cut where source transactions end. */
  enum Cut {
    ANYWHERE(""),
    AT_TRANSACTIONS("source.transactions { cut = transactions, topic = \"live.transaction\" }");

    private final String setting;

    Cut(String setting) {
      this.setting = setting;
    }
  }

  private final EmbeddedCatalog server;
  private final LocalCatalog catalog;
  private final Path config;

  LiveShop(Path folder, Path landing, Cut cut) throws IOException {
    this.server = EmbeddedCatalog.start(folder.resolve("catalog"), 0);
    this.catalog = LocalSpark.catalog(server.clientProperties());
    this.config =
        Files.writeString(
            folder.resolve("live.conf"),
            CommandRun.catalog(catalog.name(), server.clientProperties())
                + """
                pipeline = live
                source.path = "%s"
                %s
                ledger.table = "live.ledger"
                commit.mode = atomic
                # The events carry their types, so that no column is declared.
                table-defaults.readers = [spark, trino, duckdb, snowflake, databricks]
                tables {
                  "live.pgbench_accounts" { topic = live.public.pgbench_accounts, key = [aid] }
                  "live.pgbench_tellers" { topic = live.public.pgbench_tellers, key = [tid] }
                  "live.pgbench_branches" { topic = live.public.pgbench_branches, key = [bid] }
                  "live.pgbench_history" { topic = live.public.pgbench_history, mode = append-only }
                  "live.orders" { topic = live.public.orders, key = [id] }
                  "live.order_lines" { topic = live.public.order_lines, key = [order_id, line] }
                }
                """
                    .formatted(landing, cut.setting));
  }

  /** The tables of the pipeline. */
  static List<String> tables() {
    List<String> tables = new ArrayList<>(KEYED);
    tables.add(HISTORY);
    return tables;
  }

  /**
   * One batch.
   *
   * @return false when there was nothing new
   */
  boolean ingest() {
    String said = run("ingest");
    assertThat(said).containsAnyOf("Committed batch", "Nothing new");
    return said.contains("Committed batch");
  }

  void verifyIndexes() {
    for (String table : KEYED) {
      run("index", "verify", "--table", NAME + "." + table);
    }
  }

  private String run(String... words) {
    CommandRun done = CommandRun.of(config, words);
    assertThat(done.code()).as("%s: %s", List.of(words), done.said()).isZero();
    return done.out();
  }

  /** Whether a table has been made. */
  boolean exists(String name) {
    return catalog.iceberg().tableExists(id(name));
  }

  /** A table as the catalog has it now. */
  Table table(String name) {
    return catalog.iceberg().loadTable(id(name));
  }

  private static TableIdentifier id(String name) {
    return TableIdentifier.of(NAME, name);
  }

  @Override
  public void close() {
    server.close();
  }
}
