package io.rowmark.integration.input;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.command.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** What a user of the command line has: a landing folder, a configuration file, a namespace. */
final class Project {
  private final Path folder;
  private final String namespace;
  private final LocalCatalog catalog;
  private final Map<String, String> properties;
  private CommandRun last = new CommandRun(0, "", "");
  private int events;

  Project(Path folder, String namespace, EmbeddedCatalog embedded) {
    this(
        folder,
        namespace,
        embedded.clientProperties(),
        LocalSpark.catalog(embedded.clientProperties()));
  }

  private Project(
      Path folder, String namespace, Map<String, String> properties, LocalCatalog catalog) {
    this.folder = folder;
    this.namespace = namespace;
    this.properties = properties;
    this.catalog = catalog;
  }

  /** The same project for another run at the same time. */
  Project again() {
    return new Project(folder, namespace, properties, catalog);
  }

  String table() {
    return namespace + ".accounts";
  }

  /** The data table as Spark names it. */
  String sparkTable() {
    return catalog.name() + "." + table();
  }

  Path landing() {
    return folder.resolve("landing");
  }

  Path rejects() {
    return folder.resolve("rejects");
  }

  Path config() {
    return folder.resolve("shop.conf");
  }

  String out() {
    return last.out();
  }

  String err() {
    return last.err();
  }

  /** Writes the configuration, with more lines at its end, and the settings of the table. */
  void configure(String tableSettings, String... more) throws IOException {
    StringBuilder text = new StringBuilder(CommandRun.catalog(catalog.name(), properties));
    text.append(
        """
        pipeline = %s
        source.path = "%s"
        ledger.table = "%s.ledger"
        table-defaults { readers = [spark], delete-format = deletion-vector }
        tables { "%s" { topic = accounts, %s } }
        """
            .formatted(namespace, landing(), namespace, table(), tableSettings));
    for (String line : more) {
      text.append(line).append('\n');
    }
    Files.writeString(config(), text);
  }

  /** Runs a command with this configuration and tells its exit code. */
  int run(String... command) {
    last = CommandRun.of(config(), command);
    return last.code();
  }

  Path land(String file, String... lines) throws IOException {
    return land(file, String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  Path land(String file, byte[] content) throws IOException {
    Path path = landing().resolve("accounts/" + file);
    Files.createDirectories(path.getParent());
    return Files.write(path, content);
  }

  static byte[] gzip(String text) throws IOException {
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  /** An insert, as Debezium writes it. */
  String insert(String after) {
    int position = 1000 + events++;
    return """
        {"before":null,"after":%s,"source":{"version":"3.6.1.Final","connector":"postgresql",\
        "name":"shop","ts_ms":%d,"snapshot":"false","db":"shop","sequence":"[\\"%d\\",\\"%d\\"]",\
        "schema":"public","table":"accounts","txId":%d,"lsn":%d},"op":"c","ts_ms":%d}"""
        .formatted(after, position, position, position, position, position, position);
  }

  /** Metadata files of all tables of the namespace, the current one of each. */
  Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    Namespace name = Namespace.of(namespace);
    if (((org.apache.iceberg.catalog.SupportsNamespaces) catalog.iceberg()).namespaceExists(name)) {
      for (TableIdentifier id : catalog.iceberg().listTables(name)) {
        Table table = catalog.iceberg().loadTable(id);
        state.put(
            id.name(), ((HasTableOperations) table).operations().current().metadataFileLocation());
      }
    }
    return state;
  }

  long rows() {
    return LocalSpark.session().table(sparkTable()).count();
  }
}
