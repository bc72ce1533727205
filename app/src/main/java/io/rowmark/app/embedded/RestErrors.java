package io.rowmark.app.embedded;

import java.sql.SQLException;
import java.util.List;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.ErrorResponseParser;

/**
 * Turns a failure into the status and type from which Iceberg's client makes the same exception
 * again. Whatever is not known here is 500, which a committing client takes as outcome unknown.
 */
final class RestErrors {
  private record Rule(Class<? extends Exception> failure, int status) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule(BadRequestException.class, 400),
          new Rule(ValidationException.class, 400),
          new Rule(IllegalArgumentException.class, 400),
          new Rule(NoSuchTableException.class, 404),
          new Rule(NoSuchNamespaceException.class, 404),
          new Rule(NotFoundException.class, 404),
          new Rule(UnsupportedOperationException.class, 406),
          new Rule(AlreadyExistsException.class, 409),
          new Rule(CommitFailedException.class, 409),
          new Rule(NamespaceNotEmptyException.class, 409));

  private RestErrors() {}

  static RestReply reply(Throwable failure) {
    if (hasTooLongValue(failure)) {
      return reply(
          400,
          BadRequestException.class.getSimpleName(),
          "A name, location or property value is longer than this catalog stores");
    }
    int status =
        RULES.stream()
            .filter(rule -> rule.failure().isInstance(failure))
            .mapToInt(Rule::status)
            .findFirst()
            .orElse(500);
    String message = failure.getMessage();
    return reply(
        status,
        failure.getClass().getSimpleName(),
        message == null ? failure.getClass().getName() : message);
  }

  static RestReply reply(int status, String type, String message) {
    return new RestReply(
        status,
        ErrorResponseParser.toJson(
            ErrorResponse.builder()
                .responseCode(status)
                .withType(type)
                .withMessage(message)
                .build()));
  }

  /** SQLSTATE 22001, string data right truncation: the statement was refused, nothing changed. */
  private static boolean hasTooLongValue(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && "22001".equals(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }
}
