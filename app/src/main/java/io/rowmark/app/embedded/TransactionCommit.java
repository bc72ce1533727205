package io.rowmark.app.embedded;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.jdbc.UncheckedSQLException;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.requests.CommitTransactionRequest;
import org.apache.iceberg.rest.requests.CommitTransactionRequestParser;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.h2.api.ErrorCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The multi-table commit, all or nothing: every table's pointer to its metadata file moves in one
 * SQL transaction, and only if each still points where it did when the requirements were checked.
 * Iceberg's own handlers commit one table after another, so they are not used here.
 *
 * <p>A conflict is never retried here: the client alone knows whether its change still makes sense.
 */
record TransactionCommit(Catalog catalog, DataSource database) {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionCommit.class);

  // The last comparison is the compare-and-swap. A table that the request only requires something
  // of is swapped for itself: that locks its row, so its requirements hold at the commit too.
  private static final String SWAP =
      "UPDATE iceberg_tables SET metadata_location = ?,"
          + " previous_metadata_location = COALESCE(?, previous_metadata_location)"
          + " WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?"
          + " AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)"
          + " AND metadata_location = ?";

  /** What H2 answers when it gave way to another transaction: the statement changed nothing. */
  private static final Set<Integer> CONFLICTS =
      Set.of(ErrorCode.DEADLOCK_1, ErrorCode.LOCK_TIMEOUT_1, ErrorCode.CONCURRENT_UPDATE_1);

  List<Route> routes() {
    return List.of(
        new Route(
            Endpoint.V1_COMMIT_TRANSACTION,
            request -> {
              commit(RestJson.parse(request.body(), CommitTransactionRequestParser::fromJson));
              return RestReply.NO_CONTENT;
            }));
  }

  /**
   * Commits every change of the request, or none.
   *
   * @throws BadRequestException when a table is named twice or would be created
   * @throws CommitFailedException when a requirement fails or a table changed meanwhile; nothing
   *     has changed
   * @throws CommitStateUnknownException when the database failed at the commit itself
   */
  void commit(CommitTransactionRequest request) {
    request.validate();
    requireDistinct(request);
    // One order for all commits: two that share tables wait for each other instead of deadlocking.
    List<StagedTable> staged =
        request.tableChanges().stream()
            .map(change -> StagedTable.stage(catalog, change))
            .sorted(Comparator.comparing(change -> change.table().toString()))
            .toList();
    try (Connection connection = database.getConnection()) {
      prepare(connection, staged);
      sendCommit(connection);
    } catch (SQLException e) {
      throw new UncheckedSQLException(e, "The catalog's database failed: %s", e.getMessage());
    }
    staged.forEach(TransactionCommit::expireMetadata);
  }

  /** Everything before COMMIT. When it throws, nothing has changed and no new file is left. */
  private static void prepare(Connection connection, List<StagedTable> staged) throws SQLException {
    try {
      staged.forEach(StagedTable::writeMetadata);
      connection.setAutoCommit(false);
      for (StagedTable table : staged) {
        swap(connection, table);
      }
    } catch (SQLException | RuntimeException e) {
      rollback(connection);
      staged.forEach(TransactionCommit::discardMetadata);
      if (e instanceof SQLException sql && CONFLICTS.contains(sql.getErrorCode())) {
        throw new CommitFailedException(e, "Another commit holds the tables: %s", e.getMessage());
      }
      throw e;
    }
  }

  private static void swap(Connection connection, StagedTable staged) throws SQLException {
    TableIdentifier table = staged.table();
    String base = staged.base().metadataFileLocation();
    try (PreparedStatement update = connection.prepareStatement(SWAP)) {
      update.setString(1, staged.newLocation());
      update.setString(2, staged.changed() ? base : null);
      update.setString(3, CatalogStore.CATALOG_NAME);
      update.setString(4, String.join(".", table.namespace().levels()));
      update.setString(5, table.name());
      update.setString(6, base);
      if (update.executeUpdate() != 1) {
        throw new CommitFailedException("Table %s was changed concurrently", table);
      }
    }
  }

  /** From here on the outcome may be unknown, so no file is removed whatever happens. */
  private static void sendCommit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      throw new CommitStateUnknownException(e);
    }
  }

  private static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // Closing the connection drops the transaction all the same.
      LOG.warn("A refused multi-table commit did not roll back at once", e);
    }
  }

  private static void discardMetadata(StagedTable staged) {
    try {
      staged.discardMetadata();
    } catch (RuntimeException e) {
      LOG.warn("Metadata file {} of a refused commit is left behind", staged.newLocation(), e);
    }
  }

  private static void expireMetadata(StagedTable staged) {
    try {
      staged.expireMetadata();
    } catch (RuntimeException e) {
      LOG.warn("Old metadata files of {} are left behind", staged.table(), e);
    }
  }

  private static void requireDistinct(CommitTransactionRequest request) {
    Set<TableIdentifier> seen = new HashSet<>();
    for (UpdateTableRequest change : request.tableChanges()) {
      RestRequest.requireStorable(change.identifier().namespace());
      if (!seen.add(change.identifier())) {
        throw new BadRequestException(
            "Table %s is named twice in one multi-table commit; merge its changes into one",
            change.identifier());
      }
    }
  }
}
