package io.rowmark.integration.purge;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.config.AppConfigReader;
import io.rowmark.app.config.EffectiveConfig;
import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.command.CommandRun;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.purge.KeyPurger;
import io.rowmark.merge.spec.PipelineSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.Row;

/**
 * A table of people with the columns mail, town and amount, its change events, and a plain map that
 * says what the table must hold. All through the command line.
 */
final class PurgeRun {
  private final Path folder;
  private final String namespace;
  private final Map<String, String> properties;
  private final LocalCatalog catalog;
  private final Map<String, String> model = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();
  private int position = 1000;
  private int files;

  private PurgeRun(
      Path folder, String namespace, Map<String, String> properties, LocalCatalog catalog) {
    this.folder = folder;
    this.namespace = namespace;
    this.properties = properties;
    this.catalog = catalog;
  }

  /** On an embedded catalog, where data and index are one commit. */
  static PurgeRun atomic(Path folder, String namespace, EmbeddedCatalog server) {
    Map<String, String> properties = server.clientProperties();
    return new PurgeRun(folder, namespace, properties, LocalSpark.catalog(properties));
  }

  /** On a catalog of files, where they are two. */
  static PurgeRun ordered(Path folder, String namespace) {
    Map<String, String> properties =
        Map.of("type", "hadoop", "warehouse", folder.resolve("lake").toUri().toString());
    return new PurgeRun(folder, namespace, properties, LocalSpark.catalog(properties));
  }

  String table() {
    return namespace + ".people";
  }

  LocalCatalog catalog() {
    return catalog;
  }

  Path config() {
    return folder.resolve(namespace + ".conf");
  }

  Table data() {
    return catalog.iceberg().loadTable(TableIdentifier.parse(table()));
  }

  Table index() {
    return catalog.iceberg().loadTable(TableIdentifier.parse(table() + "__rowmark_index"));
  }

  /** Writes the configuration. */
  PurgeRun configure(String tableSettings) throws IOException {
    Files.writeString(
        config(),
        CommandRun.catalog(catalog.name(), properties)
            + """
            pipeline = %s
            source.path = "%s"
            ledger.table = "%s.ledger"
            table-defaults.readers = [spark]
            tables { "%s" { topic = people, %s } }
            """
                .formatted(
                    namespace,
                    folder.resolve(namespace + "-landing"),
                    namespace,
                    table(),
                    tableSettings));
    return this;
  }

  PurgeRun put(String op, String mail, String town, int amount) {
    model.put(mail, town + " " + amount);
    lines.add(event(op, "null", row(mail, town, amount)));
    return this;
  }

  PurgeRun remove(String mail, String town) {
    model.remove(mail);
    lines.add(event("d", row(mail, town, 0), "null"));
    return this;
  }

  /** What a purge takes out of the table. */
  PurgeRun forget(String... mails) {
    List.of(mails).forEach(model::remove);
    return this;
  }

  /** Others did what was said: nothing of it lands. */
  PurgeRun dropLines() {
    lines.clear();
    return this;
  }

  /** Files in the folders of table and index that no snapshot names, manifests left out. */
  List<Path> orphans() throws IOException {
    List<Path> orphans = new ArrayList<>();
    for (String name : List.of(table(), table() + "__rowmark_index")) {
      Set<String> named = new HashSet<>();
      for (String files : List.of("all_data_files", "all_delete_files")) {
        sql("SELECT file_path FROM %s.%s.%s".formatted(catalog.name(), name, files))
            .forEach(row -> named.add(local(row.getString(0)).toString()));
      }
      Table table = catalog.iceberg().loadTable(TableIdentifier.parse(name));
      try (Stream<Path> found = Files.walk(local(table.location()).resolve("data"))) {
        found
            .filter(path -> path.toString().matches(".*\\.(parquet|puffin)"))
            .filter(path -> !named.contains(path.toString()))
            .forEach(orphans::add);
      }
    }
    return orphans;
  }

  /** Sets the source's position back, for a late event. */
  PurgeRun at(int earlier) {
    this.position = earlier;
    return this;
  }

  private static String row(String mail, String town, int amount) {
    return "{\"mail\":\"%s\",\"town\":\"%s\",\"amount\":%d}".formatted(mail, town, amount);
  }

  private String event(String op, String before, String after) {
    int at = position++;
    return """
        {"before":%s,"after":%s,"source":{"connector":"postgresql","ts_ms":%d,"snapshot":"false",\
        "sequence":"[\\"%d\\",\\"%d\\"]","schema":"public","table":"people"},"op":"%s"}"""
        .formatted(before, after, 1000L * at, at, at, op);
  }

  /** Lands and ingests what was said since the last time. */
  void batch() throws IOException {
    Path file =
        folder.resolve(
            "%s-landing/people/partition=0/people+0+%010d.json".formatted(namespace, files++));
    Files.createDirectories(file.getParent());
    Files.write(file, lines);
    lines.clear();
    run("ingest");
  }

  /** Writes a file of keys. */
  Path keys(String name, String... content) throws IOException {
    return Files.write(folder.resolve(name), List.of(content));
  }

  CommandRun command(String... words) {
    return CommandRun.of(config(), words);
  }

  /** Runs a command that succeeds, and gives what it printed. */
  String run(String... words) {
    CommandRun done = command(words);
    assertThat(done.code()).as(done.said()).isZero();
    return done.out();
  }

  /** A purge whose way others may cross. */
  KeyPurger purger(StepListener listener) {
    PipelineSpec pipeline =
        new AppConfigReader(SourceTypes::parse)
            .read(EffectiveConfig.load(config(), List.of()))
            .pipeline();
    return new KeyPurger(
        pipeline, pipeline.tables().get(0), LocalSpark.session(), catalog.iceberg(), listener);
  }

  /** Does something when a purge has come to a point. */
  record At(StepListener.Checkpoint point, Runnable work) implements StepListener {
    @Override
    public void reached(Checkpoint checkpoint) {
      if (checkpoint == point) {
        work.run();
      }
    }

    @Override
    public void stepFinished(Step step, String summary, Duration time) {}
  }

  String purge(Path keys, String... more) {
    return run(purging(keys, more));
  }

  CommandRun prove(Path keys) {
    return command(purging(keys, "--prove"));
  }

  private String[] purging(Path keys, String... more) {
    List<String> words =
        new ArrayList<>(List.of("purge", "--table", table(), "--keys", keys.toString()));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  List<Row> sql(String text) {
    return LocalSpark.session()
        .sql(
            text.replace("$t", catalog.name() + "." + table())
                .replace("$i", catalog.name() + "." + table() + "__rowmark_index"))
        .collectAsList();
  }

  /** The rows are those of the map, and the index agrees. */
  void check() {
    assertThat(
            sql("SELECT mail, town, amount FROM $t").stream()
                .map(row -> row.get(0) + " " + row.get(1) + " " + row.get(2))
                .sorted())
        .isEqualTo(model.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList());
    run("index", "verify", "--table", table());
  }

  /** Rows with one of the mails in the live files of a table, read without Iceberg. */
  static long raw(Table table, String... mails) {
    String[] paths =
        LiveFiles.at(table, table.currentSnapshot()).all().stream()
            .map(LiveFile::path)
            .toArray(String[]::new);
    if (paths.length == 0) {
      return 0;
    }
    return LocalSpark.session()
        .read()
        .schema("mail STRING")
        .parquet(paths)
        .where(org.apache.spark.sql.functions.col("mail").isin((Object[]) mails))
        .count();
  }

  /** Whether some live file of a table holds a text as it is. */
  static boolean holds(Table table, String text) throws IOException {
    for (LiveFile live : LiveFiles.at(table, table.currentSnapshot()).all()) {
      byte[] bytes = Files.readAllBytes(local(live.path()));
      if (new String(bytes, StandardCharsets.ISO_8859_1).contains(text)) {
        return true;
      }
    }
    return false;
  }

  private static Path local(String path) {
    return Path.of(path.startsWith("file:") ? URI.create(path).getPath() : path);
  }

  /** Drops all snapshots but the current one, and their files. */
  static void expire(Table table) {
    Snapshot head = table.currentSnapshot();
    table
        .expireSnapshots()
        .expireOlderThan(head.timestampMillis() + 1)
        .retainLast(1)
        .cleanExpiredFiles(true)
        .commit();
  }

  void expireBoth() {
    expire(data());
    expire(index());
  }
}
