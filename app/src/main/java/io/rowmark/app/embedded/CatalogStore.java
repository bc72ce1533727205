package io.rowmark.app.embedded;

import io.rowmark.formats.failure.RowmarkException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.jdbc.JdbcClientPool;
import org.apache.iceberg.jdbc.UncheckedSQLException;
import org.h2.api.ErrorCode;
import org.h2.jdbcx.JdbcDataSource;

/**
 * What lies below the catalog directory: Iceberg's JDBC catalog over one H2 file ({@code
 * catalog.mv.db}) and the tables' files ({@code warehouse/}).
 *
 * @param lock held until the store closes
 * @param database connections to the H2 file, for the multi-table commit
 * @param catalog Iceberg's own catalog over the same file, for everything else
 * @param warehouse location of the tables, without trailing slash
 */
record CatalogStore(
    DirectoryLock lock, JdbcDataSource database, JdbcCatalog catalog, String warehouse)
    implements AutoCloseable {

  /** The value of {@code catalog_name} in every row; must never change, or old tables vanish. */
  static final String CATALOG_NAME = "rowmark";

  private static final int POOL_SIZE = 8;

  // WRITE_DELAY=0: a commit is in the file before it is acknowledged, so kill -9 loses nothing.
  // DATABASE_TO_LOWER: on reopening Iceberg looks for a column by its lower-case name and would
  // add it a second time.
  // TRACE_LEVEL_FILE=0: refused commits are ordinary here and must not fill a trace file.
  private static final String H2_SETTINGS =
      ";AUTO_SERVER=FALSE;WRITE_DELAY=0;LOCK_TIMEOUT=10000;DATABASE_TO_LOWER=TRUE"
          + ";CASE_INSENSITIVE_IDENTIFIERS=TRUE;TRACE_LEVEL_FILE=0";

  /**
   * Opens the store, creating what is missing.
   *
   * @throws RowmarkException when the directory is in use, unusable, or its database is damaged
   */
  static CatalogStore open(Path directory) {
    Path home = directory.toAbsolutePath().normalize();
    if (home.toString().contains(";")) {
      throw RowmarkException.config(
          "The catalog directory "
              + home
              + " has a semicolon in its path, which H2 takes for the start of its settings."
              + " Name another directory.");
    }
    DirectoryLock lock = DirectoryLock.acquire(home);
    try {
      JdbcDataSource database = new JdbcDataSource();
      database.setURL("jdbc:h2:file:" + home.resolve("catalog") + H2_SETTINGS);
      // Not Path.toUri: Hadoop does not decode the %20 that it would write for a blank.
      String warehouse = "file:" + home.resolve("warehouse");
      return new CatalogStore(lock, database, openCatalog(database, warehouse), warehouse);
    } catch (UncheckedSQLException e) {
      lock.close();
      throw failure(home, e);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static JdbcCatalog openCatalog(JdbcDataSource database, String warehouse) {
    Map<String, String> properties = new HashMap<>();
    properties.put(CatalogProperties.URI, database.getURL());
    properties.put(CatalogProperties.WAREHOUSE_LOCATION, warehouse);
    properties.put("jdbc.schema-version", "V1");
    properties.put("jdbc.strict-mode", "true"); // a table needs its namespace
    JdbcCatalog catalog = new JdbcCatalog(null, given -> new Connections(database, given), true);
    catalog.setConf(new Configuration());
    catalog.initialize(CATALOG_NAME, properties);
    return catalog;
  }

  private static RowmarkException failure(Path home, UncheckedSQLException e) {
    if (e.getCause() instanceof SQLException sql
        && sql.getErrorCode() == ErrorCode.DATABASE_ALREADY_OPEN_1) {
      return DirectoryLock.inUse(home, e);
    }
    return RowmarkException.internal(
        "The database of the embedded catalog in "
            + home
            + " does not open: "
            + e.getCause()
            + ". Restore catalog.mv.db from a copy, or start with an empty directory and register"
            + " the tables again.",
        e);
  }

  @Override
  public void close() {
    try {
      catalog.close(); // closes the pool; H2 closes its file with the last connection
    } finally {
      lock.close();
    }
  }

  /**
   * Iceberg's pool asks DriverManager, which sees a driver only if the class loader of Iceberg sees
   * it: not so where Iceberg lies in Spark's own jars and H2 in the application's.
   */
  private static final class Connections extends JdbcClientPool {
    private final JdbcDataSource database;

    Connections(JdbcDataSource database, Map<String, String> properties) {
      super(POOL_SIZE, database.getURL(), properties);
      this.database = database;
    }

    @Override
    protected Connection newClient() {
      try {
        return database.getConnection();
      } catch (SQLException e) {
        throw new UncheckedSQLException(e, "Cannot connect to %s", database.getURL());
      }
    }
  }
}
