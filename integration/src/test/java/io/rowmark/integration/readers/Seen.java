package io.rowmark.integration.readers;

import io.rowmark.integration.engine.Answer;
import io.rowmark.integration.readers.VariantTables.Made;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What an engine did with a table.
 *
 * @param detail the engine's message, or how its rows differ; empty where it reads
 */
record Seen(Kind kind, String detail) {
  enum Kind {
    READS,
    /** Just the rows that a reader without deletes would return. */
    IGNORES_DELETES,
    OTHER_WRONG_ROWS,
    ERROR
  }

  static Seen of(Answer answer, Made made) {
    return answer instanceof Answer.Failed failed
        ? new Seen(Kind.ERROR, failed.message())
        : of(counted(answer.rows()), made);
  }

  private static Seen of(Map<Map<String, Object>, Long> rows, Made made) {
    Map<Map<String, Object>, Long> right = counted(values(made.right()));
    if (rows.equals(right)) {
      return new Seen(Kind.READS, "");
    }
    String detail = "%d distinct rows in place of %d".formatted(rows.size(), right.size());
    return new Seen(
        rows.equals(counted(values(made.deletesIgnored())))
            ? Kind.IGNORES_DELETES
            : Kind.OTHER_WRONG_ROWS,
        detail);
  }

  private static List<Map<String, Object>> values(List<Order> orders) {
    return orders.stream().map(Order::values).toList();
  }

  /** A row that comes twice is not the same as one that comes once. */
  private static Map<Map<String, Object>, Long> counted(List<Map<String, Object>> rows) {
    return rows.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }
}
