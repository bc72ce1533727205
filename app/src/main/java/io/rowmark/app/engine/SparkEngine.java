package io.rowmark.app.engine;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.spark.Catalogs;
import io.rowmark.app.spark.SparkSessions;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.merge.report.BatchReport;
import java.nio.file.Path;
import org.apache.iceberg.catalog.Catalog;
import org.apache.spark.sql.SparkSession;

/** The engine of real runs: opens session and catalog, and calls the modules below. */
public final class SparkEngine implements Engine {

  /** Work on an open session and catalog. */
  private interface Work<T> {
    T on(SparkSession session, Catalog catalog);
  }

  @Override
  public SourceType sourceType(String text) {
    return SourceTypes.parse(text);
  }

  @Override
  public BatchReport ingest(AppConfig config, Steps steps) {
    return with(config, (session, catalog) -> absent("the batch pipeline"));
  }

  @Override
  public IndexBuilt buildIndex(AppConfig config, String table, Steps steps) {
    return with(config, (session, catalog) -> absent("the index builder"));
  }

  @Override
  public IndexChecked verifyIndex(
      AppConfig config, String table, double samplePercent, Steps steps) {
    return with(config, (session, catalog) -> absent("the index verifier"));
  }

  @Override
  public CatalogServer startCatalog(Path directory) {
    return absent("the embedded catalog");
  }

  private static <T> T with(AppConfig config, Work<T> work) {
    try (SparkSessions spark = SparkSessions.open(config, SparkSessions.WebPage.AS_CONFIGURED)) {
      Catalog catalog = Catalogs.build(config.pipeline().catalog(), spark.session());
      try {
        return work.on(spark.session(), catalog);
      } finally {
        Catalogs.close(catalog);
      }
    }
  }

  private static <T> T absent(String part) {
    throw RowmarkException.internal("This build does not contain %s.".formatted(part), null);
  }
}
