package io.rowmark.formats.capability;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Refuses a layer of rows that answers one question in two ways. */
final class Contradictions {
  /**
   * @param version null for all
   */
  private record Question(@Nullable EngineVersion version, String cell) {}

  private Contradictions() {}

  static void refuse(String product, List<Statement> statements) {
    Map<Question, Stated<Support>> answers = new HashMap<>();
    for (Statement statement : statements) {
      statement
          .cells()
          .forEach(
              (cell, answer) -> {
                Question question = new Question(statement.minVersion(), cell);
                Stated<Support> other = answers.put(question, answer);
                if (other != null && !other.value().text().equals(answer.value().text())) {
                  throw CapabilityRow.error(
                      statement.row().values(),
                      "%s of %s is said to be (%s) here and (%s) at %s. Remove one of the two."
                          .formatted(
                              cell,
                              statement.minVersion() == null
                                  ? product
                                  : product + " " + statement.minVersion().text(),
                              answer.value().text(),
                              other.value().text(),
                              other.evidence().origin()));
                }
              });
    }
  }
}
