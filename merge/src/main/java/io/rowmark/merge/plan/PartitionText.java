package io.rowmark.merge.plan;

import io.rowmark.formats.failure.RowmarkException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;

/** Reads partition transforms as users write them, such as {@code bucket(16, id)}. */
final class PartitionText {
  private static final Pattern CALL =
      Pattern.compile("(\\w+)\\(\\s*(?:(\\d+)\\s*,\\s*)?([^()]+?)\\s*\\)");

  private PartitionText() {}

  /**
   * @param table name for messages
   * @throws RowmarkException CONFIG when a transform or its column is not known
   */
  static PartitionSpec parse(String table, Schema schema, List<String> transforms) {
    PartitionSpec.Builder builder = PartitionSpec.builderFor(schema);
    for (String text : transforms) {
      try {
        add(builder, text.trim());
        // whether the transform takes the column's type is only checked here
        builder.build();
      } catch (IllegalArgumentException | org.apache.iceberg.exceptions.ValidationException e) {
        throw RowmarkException.config(
            "partition-by of table %s has '%s', which does not work: %s. Write a column name, or one of identity, year, month, day, hour (column), bucket, truncate (number, column)."
                .formatted(table, text, e.getMessage()));
      }
    }
    return builder.build();
  }

  private static void add(PartitionSpec.Builder builder, String text) {
    Matcher call = CALL.matcher(text);
    if (!call.matches()) {
      builder.identity(text);
      return;
    }
    String transform = call.group(1).toLowerCase(Locale.ROOT);
    String column = call.group(3);
    String number = call.group(2);
    switch (transform) {
      case "identity" -> builder.identity(column);
      case "year", "years" -> builder.year(column);
      case "month", "months" -> builder.month(column);
      case "day", "days" -> builder.day(column);
      case "hour", "hours" -> builder.hour(column);
      case "bucket" -> builder.bucket(column, width(number));
      case "truncate" -> builder.truncate(column, width(number));
      default -> throw new IllegalArgumentException("the transform is not known");
    }
  }

  private static int width(String number) {
    if (number == null) {
      throw new IllegalArgumentException("the transform needs a number first");
    }
    return Integer.parseInt(number);
  }
}
