package io.rowmark.app.quickstart;

import com.typesafe.config.ConfigUtil;
import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.AppConfigReader;
import io.rowmark.app.config.EffectiveConfig;
import io.rowmark.app.engine.CatalogServer;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.WantedInputs;
import io.rowmark.app.report.StepPrinter;
import io.rowmark.app.run.BatchRun;
import io.rowmark.app.spark.Catalogs;
import io.rowmark.app.spark.SparkSessions;
import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Catalog;

/**
 * The demo: starts the embedded catalog, lands and ingests day 1 and day 2 of a captured stream,
 * then shows the tables, their delete files and their indexes, and follows one row.
 */
public final class Quickstart {
  /** System property that names the folder of the project; {@code bin/rowmark} sets it. */
  private static final String HOME = "rowmark.home";

  private static final String TRACED_TABLE = "shop.customers";
  private static final String TRACED_ROW = "id = 1";

  private final Engine engine;
  private final PrintWriter out;

  public Quickstart(Engine engine, PrintWriter out) {
    this.engine = engine;
    this.out = out;
  }

  /** The folder of the project, which holds conf and demo. */
  public static Path home() {
    return Path.of(System.getProperty(HOME, "")).toAbsolutePath();
  }

  /**
   * @param home holds conf/quickstart.conf and integration/data/debezium-postgres
   * @param folder empty; tables, catalog and landing folder go there
   */
  public void run(Path home, Path folder) {
    Path capture = home.resolve("integration/data/debezium-postgres");
    if (!Files.isDirectory(capture)) {
      throw RowmarkException.config(
          "The demo data is missing: %s. Run bin/rowmark from a clone of the project."
              .formatted(capture));
    }
    long start = System.nanoTime();
    Path landing = folder.resolve("landing");
    try (CatalogServer server = engine.startCatalog(folder.resolve("catalog"))) {
      AppConfig config = config(home, server, landing);
      say("Embedded REST catalog at " + server.properties().getOrDefault("uri", "(no address)"));
      try (SparkSessions spark = SparkSessions.open(config, SparkSessions.WebPage.OFF)) {
        day("Day 1: the first load and a day of changes", capture.resolve("shop-json"), landing);
        ingest(config);
        day("Day 2: more changes", capture.resolve("shop-json-day2"), landing);
        ingest(config);
        say("The same command again");
        ingest(config);
        show(config, spark);
      }
    }
    say("Done in " + StepPrinter.seconds(Duration.ofNanos(System.nanoTime() - start)) + ".");
  }

  private AppConfig config(Path home, CatalogServer server, Path landing) {
    List<String> overrides = new ArrayList<>();
    server
        .properties()
        .forEach(
            (key, value) ->
                overrides.add(ConfigUtil.joinPath("catalog", "properties", key) + "=" + value));
    overrides.add("source.path=" + landing);
    Path file = home.resolve("conf/quickstart.conf");
    return new AppConfigReader(engine::sourceType).read(EffectiveConfig.load(file, overrides));
  }

  private void day(String title, Path from, Path landing) {
    say(title);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = landing.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    } catch (IOException e) {
      throw RowmarkException.source(
          "The demo data cannot be copied from %s to %s: %s. Name another folder with --dir."
              .formatted(from, landing, e.getMessage()),
          e);
    }
  }

  private void ingest(AppConfig config) {
    new BatchRun(engine, out).run(config, WantedInputs.New.ALL);
  }

  private void show(AppConfig config, SparkSessions spark) {
    Catalog catalog = Catalogs.build(config.pipeline().catalog(), spark.session());
    try {
      say("The tables");
      TableOverview.of(config.pipeline(), catalog, spark.session()).print(out);
      say("One row, through the index: %s where %s".formatted(TRACED_TABLE, TRACED_ROW));
      RowTrace.find(config.pipeline(), TRACED_TABLE, TRACED_ROW, spark.session()).print(out);
    } finally {
      Catalogs.close(catalog);
    }
  }

  private void say(String line) {
    out.println();
    out.println(line);
    out.flush();
  }
}
