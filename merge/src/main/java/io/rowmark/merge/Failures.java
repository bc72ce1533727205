package io.rowmark.merge;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.failure.RowmarkException.Retry;
import io.rowmark.merge.stage.StagedBatch;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.exceptions.ValidationException;

/** Turns whatever went wrong into the one exception of a run. */
final class Failures {
  private Failures() {}

  static RowmarkException classify(Exception e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof RowmarkException known) {
        return known;
      }
    }
    if (e instanceof ValidationException || e instanceof CommitFailedException) {
      return new RowmarkException(
          Category.CONFLICT,
          Retry.HELPS,
          "A table changed while the batch was made: %s. Run again: what has landed is recognized."
              .formatted(e.getMessage()),
          e);
    }
    if (e instanceof CommitStateUnknownException) {
      return new RowmarkException(
          Category.UNKNOWN_COMMIT,
          Retry.HELPS,
          "A commit was sent, and whether it landed is not known (%s). Nothing was removed. Run again: what has landed is recognized."
              .formatted(reason(e)),
          e);
    }
    if (e instanceof NotAuthorizedException || e instanceof ForbiddenException) {
      return new RowmarkException(
          Category.CONFIG,
          Retry.USELESS,
          "The catalog refused access: %s. Check the credentials under catalog.properties."
              .formatted(e.getMessage()),
          e);
    }
    if (e instanceof RESTException) {
      return new RowmarkException(
          Category.CONFIG,
          Retry.HELPS,
          "The catalog cannot be reached or does not answer as a REST catalog: %s. Check catalog.properties.uri and that the catalog runs."
              .formatted(e.getMessage()),
          e);
    }
    return RowmarkException.internal("The batch failed: %s.".formatted(reason(e)), e);
  }

  /** First line of the innermost cause: engines' messages hold whole query plans, and values. */
  private static String reason(Throwable error) {
    Throwable root = error;
    while (root.getCause() != null && !root.getCause().equals(root)) {
      root = root.getCause();
    }
    String message = Objects.requireNonNullElse(root.getMessage(), "no message");
    String line = message.lines().findFirst().orElse("no message");
    return root.getClass().getSimpleName() + ": " + line.replaceAll("\\.$", "");
  }

  static RowmarkException unknown(StagedBatch batch, String reason) {
    return new RowmarkException(
        Category.UNKNOWN_COMMIT,
        Retry.HELPS,
        ("The commit of batch %s was sent, and whether it landed is not known (%s). Nothing was"
                + " removed. To see, look for '%s' in the summaries of the snapshots of %s; or just run"
                + " again: a batch that landed is recognized.")
            .formatted(batch.batchId(), reason, batch.batchId(), tables(batch)),
        null);
  }

  static RowmarkException torn(StagedBatch batch, String reason) {
    return new RowmarkException(
        Category.TABLE_STATE,
        Retry.USELESS,
        ("The catalog committed batch %s to some of its tables only: %s. It is not atomic. Set"
                + " commit.mode = ordered, check the tables, and run 'rowmark index verify'.")
            .formatted(batch.batchId(), reason),
        null);
  }

  private static String tables(StagedBatch batch) {
    return batch.tables().stream()
        .map(table -> table.data().name().toString())
        .collect(Collectors.joining(", "));
  }
}
