package io.rowmark.app.spark;

import io.rowmark.formats.failure.RowmarkException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;

/**
 * What a session needs to read Delta tables. Delta 4 refuses every read, by path too, in a session
 * without both settings.
 */
final class DeltaSession {
  private static final String EXTENSIONS = "spark.sql.extensions";
  private static final String EXTENSION = "io.delta.sql.DeltaSparkSessionExtension";
  private static final String CATALOG = "spark.sql.catalog.spark_catalog";
  private static final String CATALOG_CLASS = "org.apache.spark.sql.delta.catalog.DeltaCatalog";

  private DeltaSession() {}

  /**
   * Adds what is missing. A catalog of the user's in this place stays; Delta then says whether it
   * can work with it.
   *
   * @throws RowmarkException CONFIG when Delta Lake is not on the class path
   */
  static void prepare(SparkConf conf) {
    try {
      Class.forName(EXTENSION, false, Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException e) {
      throw RowmarkException.config(
          "source.kind is delta, and Delta Lake is not on the class path. Start with --packages io.delta:delta-spark_4.1_2.13:4.4.0, or with the build for your Spark.");
    }
    List<String> extensions = new ArrayList<>();
    for (String extension : conf.get(EXTENSIONS, "").split(",")) {
      if (!extension.isBlank()) {
        extensions.add(extension.trim());
      }
    }
    if (!extensions.contains(EXTENSION)) {
      extensions.add(EXTENSION);
    }
    conf.set(EXTENSIONS, String.join(",", extensions));
    conf.setIfMissing(CATALOG, CATALOG_CLASS);
  }
}
