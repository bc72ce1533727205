package io.rowmark.app.spark;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.SecretMask;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.CatalogSpec;
import io.rowmark.merge.spec.SourcePlace;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.SparkSession;

/**
 * The Spark session of a run. A session that was there before (managed runtimes share theirs) is
 * used and left running; one that was made here ends with {@link #close()}.
 *
 * @param session ready to use, with the catalog under its name
 */
public record SparkSessions(SparkSession session, Ownership ownership) implements AutoCloseable {
  private static final String MASTER = "spark.master";
  private static final String SPECULATION = "spark.speculation";
  private static final String REDACTION = "spark.redaction.regex";
  private static final String CATALOG_CLASS = "org.apache.iceberg.spark.SparkCatalog";

  /** What every session needs, whoever made it. */
  private static final Map<String, String> RUNTIME_SETTINGS =
      Map.of(
          "spark.sql.session.timeZone", "UTC",
          "spark.sql.datetime.java8API.enabled", "true");

  /** Who ends the session. */
  public enum Ownership {
    MADE_HERE,
    FOUND
  }

  /** Whether a session that is made here has a web page. */
  public enum WebPage {
    AS_CONFIGURED,
    OFF
  }

  /**
   * Finds or makes the session: with the master that spark-submit set, else on this machine's
   * cores.
   *
   * @throws RowmarkException CONFIG when speculation is on
   */
  public static SparkSessions open(AppConfig config, WebPage webPage) {
    Optional<SparkSession> found = found();
    SparkSession session = found.orElseGet(() -> make(config, webPage));
    refuseSpeculation(session.sparkContext().getConf());
    RUNTIME_SETTINGS.forEach((key, value) -> session.conf().set(key, value));
    addCatalog(session, config.pipeline().catalog());
    return new SparkSessions(session, found.isPresent() ? Ownership.FOUND : Ownership.MADE_HERE);
  }

  /** The file system settings that a session has, or would have; starts none. */
  public static Configuration hadoopConfiguration(AppConfig config) {
    Optional<SparkSession> found = found();
    if (found.isPresent()) {
      return found.get().sparkContext().hadoopConfiguration();
    }
    SparkConf conf = new SparkConf();
    config.spark().conf().forEach(conf::set);
    return SparkHadoopUtil.get().newConfiguration(conf);
  }

  private static Optional<SparkSession> found() {
    scala.Option<SparkSession> active = SparkSession.getActiveSession();
    scala.Option<SparkSession> any = active.isDefined() ? active : SparkSession.getDefaultSession();
    return any.isDefined() ? Optional.of(any.get()) : Optional.empty();
  }

  private static SparkSession make(AppConfig config, WebPage webPage) {
    // Settings of spark-submit arrive as system properties, which SparkConf reads.
    SparkConf conf = new SparkConf();
    config.spark().conf().forEach(conf::set);
    conf.setIfMissing(MASTER, "local[*]");
    conf.setIfMissing("spark.app.name", "rowmark " + config.pipeline().name());
    conf.setIfMissing(REDACTION, SecretMask.SECRET_WORDS);
    if (config.pipeline().source().place() instanceof SourcePlace.DeltaTables) {
      DeltaSession.prepare(conf);
    }
    if (webPage == WebPage.OFF) {
      conf.set("spark.ui.enabled", "false");
    }
    return SparkSession.builder().config(conf).getOrCreate();
  }

  /** Two attempts of one task would write the same rows into two files. */
  private static void refuseSpeculation(SparkConf conf) {
    if (conf.getBoolean(SPECULATION, false)) {
      throw RowmarkException.config(
          "This Spark session has spark.speculation = true. Two attempts of one task would write the"
              + " same rows into two files. Start it with --conf spark.speculation=false.");
    }
  }

  /**
   * Set on the running session, not on its context, whose environment page shows every setting. The
   * cache is off because a cached table hides what a multi-table commit changed.
   */
  private static void addCatalog(SparkSession session, CatalogSpec catalog) {
    String prefix = "spark.sql.catalog." + catalog.name();
    session.conf().set(prefix, CATALOG_CLASS);
    catalog.properties().forEach((key, value) -> session.conf().set(prefix + "." + key, value));
    session.conf().set(prefix + ".cache-enabled", "false");
  }

  @Override
  public void close() {
    if (ownership == Ownership.MADE_HERE) {
      session.stop();
    }
  }
}
