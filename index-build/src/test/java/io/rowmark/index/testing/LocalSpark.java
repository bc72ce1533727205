package io.rowmark.index.testing;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a local Spark session with Iceberg's extensions, and Delta's where it is there, one
 * for the whole JVM, since a second one cannot run beside it and starting one takes seconds.
 * Catalogs are added under names of their own.
 */
public final class LocalSpark implements ParameterResolver {
  private static final String ICEBERG_EXTENSIONS =
      "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions";
  private static final String DELTA_EXTENSION = "io.delta.sql.DeltaSparkSessionExtension";

  private static final AtomicInteger CATALOGS = new AtomicInteger();

  /** Starts on first use; ends with the JVM. */
  private static final class Holder {
    static final SparkSession SESSION = start();

    private static SparkSession start() {
      SparkSession.Builder builder =
          SparkSession.builder()
              .master("local[2]")
              .appName("rowmark-tests")
              .config("spark.ui.enabled", "false")
              .config("spark.driver.bindAddress", "127.0.0.1")
              .config("spark.driver.host", "127.0.0.1")
              .config("spark.sql.shuffle.partitions", "2")
              .config("spark.sql.session.timeZone", "UTC")
              .config("spark.sql.warehouse.dir", "target/spark-warehouse")
              .config("spark.sql.extensions", ICEBERG_EXTENSIONS);
      if (isDeltaHere()) {
        builder
            .config("spark.sql.extensions", ICEBERG_EXTENSIONS + "," + DELTA_EXTENSION)
            .config(
                "spark.sql.catalog.spark_catalog",
                "org.apache.spark.sql.delta.catalog.DeltaCatalog")
            // 50 by default, each a task at every look at a table
            .config("spark.databricks.delta.snapshotPartitions", "1");
      }
      return builder.getOrCreate();
    }

    /** On the class path of some modules only. */
    private static boolean isDeltaHere() {
      try {
        Class.forName(DELTA_EXTENSION, false, LocalSpark.class.getClassLoader());
        return true;
      } catch (ClassNotFoundException e) {
        return false;
      }
    }
  }

  /** The session. */
  public static SparkSession session() {
    return Holder.SESSION;
  }

  /** A catalog that Spark and Iceberg's API both see. */
  public record LocalCatalog(String name, Catalog iceberg) {}

  /** Adds a file-system catalog under a fresh name. */
  public static LocalCatalog hadoopCatalog(Path warehouse) {
    return catalog(Map.of("type", "hadoop", "warehouse", warehouse.toUri().toString()));
  }

  /** Adds a catalog of any kind under a fresh name, without Spark's cache. */
  public static LocalCatalog catalog(Map<String, String> properties) {
    String name = "local" + CATALOGS.incrementAndGet();
    String prefix = "spark.sql.catalog." + name;
    session().conf().set(prefix, "org.apache.iceberg.spark.SparkCatalog");
    session().conf().set(prefix + ".cache-enabled", "false");
    properties.forEach((key, value) -> session().conf().set(prefix + "." + key, value));
    Configuration hadoop = session().sparkContext().hadoopConfiguration();
    return new LocalCatalog(name, CatalogUtil.buildIcebergCatalog(name, properties, hadoop));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == SparkSession.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return session();
  }
}
