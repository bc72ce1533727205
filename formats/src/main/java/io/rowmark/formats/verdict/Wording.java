package io.rowmark.formats.verdict;

import io.rowmark.formats.capability.Support;
import io.rowmark.formats.delete.DeleteFormat;
import java.util.Set;

/** The sentences of verdicts; each goes on after the reader's name. */
final class Wording {
  private Wording() {}

  static String plural(DeleteFormat format) {
    return switch (format) {
      case EQUALITY -> "equality deletes";
      case POSITION -> "position deletes";
      case DELETION_VECTOR -> "deletion vectors";
    };
  }

  /**
   * @param what as in "deletion vectors"
   */
  static String reason(Support support, String what, Set<String> allowed) {
    String note = note(support.note());
    if (support instanceof Support.Partial partial) {
      return "reads %s only under the condition %s, which is %s%s"
          .formatted(
              what, partial.condition(), support.usable(allowed) ? "allowed" : "not allowed", note);
    }
    if (support instanceof Support.Unknown) {
      return "is not known to read " + what + note;
    }
    return (support.usable(allowed) ? "reads " : "does not read ") + what + note;
  }

  static String note(String note) {
    return note.isBlank() ? "" : " (%s)".formatted(note.strip().replaceAll("\\.$", ""));
  }
}
