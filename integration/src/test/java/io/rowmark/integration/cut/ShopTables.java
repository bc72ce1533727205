package io.rowmark.integration.cut;

import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.command.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.iceberg.catalog.TableIdentifier;

/** The tables that the topics feed, on the command line. */
final class ShopTables {
  private final Path folder;
  private final Map<String, String> properties;
  private final LocalCatalog catalog;
  private final String namespace;
  private final List<String> tables;
  private String said = "";

  /**
   * @param namespace one of its own for each run
   */
  ShopTables(Path folder, Map<String, String> properties, String namespace, List<String> tables) {
    this.folder = folder;
    this.properties = properties;
    this.catalog = LocalSpark.catalog(properties);
    this.namespace = namespace;
    this.tables = tables;
  }

  /**
   * Runs a command.
   *
   * @param settings more than the usual ones
   * @return the exit code
   */
  int run(String settings, String... command) throws IOException {
    StringBuilder text = new StringBuilder(CommandRun.catalog(catalog.name(), properties));
    text.append(
        """
        pipeline = %s
        ledger.table = "%s.ledger"
        table-defaults { readers = [spark], delete-format = deletion-vector }
        source.path = "%s"
        """
            .formatted(namespace, namespace, folder.resolve("landing")));
    for (String table : tables) {
      text.append(
          "tables { \"%s.%s\" { topic = shop.public.%s, columns { id = int, value = int }, %s } }\n"
              .formatted(
                  namespace,
                  table,
                  table,
                  table.equals("journal") ? "mode = append-only" : "key = [id]"));
    }
    Path config = Files.writeString(folder.resolve("shop.conf"), text + settings);
    CommandRun done = CommandRun.of(config, command);
    said = done.said();
    return done.code();
  }

  String said() {
    return said;
  }

  /** All rows, as {@code table id value}. */
  List<String> rows() {
    return tables.stream()
        .filter(table -> catalog.iceberg().tableExists(TableIdentifier.of(namespace, table)))
        .flatMap(
            table ->
                LocalSpark.session()
                    .sql(
                        "SELECT id, value FROM %s.%s.%s ORDER BY id, value"
                            .formatted(catalog.name(), namespace, table))
                    .collectAsList()
                    .stream()
                    .map(row -> "%s %s %s".formatted(table, row.get(0), row.get(1))))
        .collect(Collectors.toList());
  }

  /** The ledger's rows of a topic or table, as {@code input held-back}. */
  List<String> ledger(String table) {
    return LocalSpark.session()
        .sql(
            "SELECT input, held_back FROM %s.%s.ledger WHERE table_name = '%s' ORDER BY recorded_at"
                .formatted(catalog.name(), namespace, table))
        .collectAsList()
        .stream()
        .map(row -> row.getString(0) + " " + (row.isNullAt(1) ? "" : row.getList(1)))
        .toList();
  }
}
