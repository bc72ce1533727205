package io.rowmark.app.spark;

import io.rowmark.app.config.SecretMask;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.CatalogSpec;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the Iceberg catalog from the properties that the Spark catalog has as well. */
public final class Catalogs {
  private static final Logger LOG = LoggerFactory.getLogger(Catalogs.class);
  private static final List<String> ADDRESSES = List.of("uri", "warehouse", "catalog-impl", "type");

  private Catalogs() {}

  /**
   * @throws RowmarkException CONFIG, naming the address, when the catalog cannot be reached or
   *     built
   */
  public static Catalog build(CatalogSpec spec, SparkSession session) {
    return build(spec, session.sparkContext().hadoopConfiguration());
  }

  /**
   * Builds the catalog without a session.
   *
   * @param hadoop settings of file systems
   * @throws RowmarkException CONFIG, naming the address, when the catalog cannot be reached or
   *     built
   */
  public static Catalog build(CatalogSpec spec, Configuration hadoop) {
    Map<String, String> properties = new HashMap<>(spec.properties());
    properties.put("cache-enabled", "false");
    try {
      return CatalogUtil.buildIcebergCatalog(spec.name(), properties, hadoop);
    } catch (RuntimeException | LinkageError e) {
      throw unreachable(spec, e);
    }
  }

  /** Ends the catalog's connections; a failure to do so cannot change what was committed. */
  public static void close(Catalog catalog) {
    if (catalog instanceof Closeable closeable) {
      try {
        closeable.close();
      } catch (IOException e) {
        LOG.warn("The catalog {} did not close", catalog.name(), e);
      }
    }
  }

  private static RowmarkException unreachable(CatalogSpec spec, Throwable error) {
    Throwable root = error;
    boolean network = false;
    while (root.getCause() != null && !root.getCause().equals(root)) {
      root = root.getCause();
      network |= root instanceof IOException;
    }
    return new RowmarkException(
        Category.CONFIG,
        network ? RowmarkException.Retry.HELPS : RowmarkException.Retry.USELESS,
        "The catalog '%s' at %s cannot be used: %s. Check catalog.properties%s."
            .formatted(spec.name(), address(spec), reason(root), hint(error, network)),
        error);
  }

  private static String address(CatalogSpec spec) {
    return ADDRESSES.stream()
        .map(spec.properties()::get)
        .filter(Objects::nonNull)
        .map(SecretMask::withoutCredentials)
        .findFirst()
        .orElse("(no address)");
  }

  /** First line only: servers answer with whole pages. */
  private static String reason(Throwable root) {
    String message = Objects.requireNonNullElse(root.getMessage(), "no message");
    String line = message.lines().findFirst().orElse("no message").strip();
    String type = root.getClass().getSimpleName();
    String shown = line.length() > 300 ? line.substring(0, 300) + "..." : line;
    return type + ": " + SecretMask.withoutCredentials(shown.replaceAll("\\.$", ""));
  }

  private static String hint(Throwable error, boolean network) {
    if (error instanceof LinkageError || error.toString().contains("ClassNotFound")) {
      return " and that the jar of this catalog is on the class path (spark-submit --packages)";
    }
    return network ? ", that the service runs, and that this machine may reach it" : "";
  }
}
