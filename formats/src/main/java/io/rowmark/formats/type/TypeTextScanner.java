package io.rowmark.formats.type;

import io.rowmark.formats.failure.RowmarkException;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/** Walks over the text of a type declaration; blanks between its parts mean nothing. */
final class TypeTextScanner {
  private static final Pattern BARE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final String text;
  private int next;

  TypeTextScanner(String text) {
    this.text = text;
  }

  String word() {
    return takeWhile(c -> Character.isLetterOrDigit(c) || c == '-' || c == '_', "a type name");
  }

  int number() {
    String digits = takeWhile(c -> (c >= '0' && c <= '9') || c == '-', "a number");
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw wrong("a number is missing");
    }
  }

  /** A bare name, or any name in backticks with its own backticks doubled. */
  String fieldName() {
    if (!skip('`')) {
      return takeWhile(c -> Character.isLetterOrDigit(c) || c == '_', "a field name");
    }
    StringBuilder name = new StringBuilder();
    while (next < text.length()) {
      char c = text.charAt(next++);
      if (c != '`') {
        name.append(c);
      } else if (next < text.length() && text.charAt(next) == '`') {
        name.append(c);
        next++;
      } else {
        return name.toString();
      }
    }
    throw wrong("a backtick is not closed");
  }

  void expect(char wanted) {
    if (!skip(wanted)) {
      throw wrong("'%s' is missing".formatted(wanted));
    }
  }

  boolean skip(char wanted) {
    skipBlanks();
    if (next < text.length() && text.charAt(next) == wanted) {
      next++;
      return true;
    }
    return false;
  }

  boolean atEnd() {
    skipBlanks();
    return next == text.length();
  }

  RowmarkException wrong(String what) {
    return RowmarkException.config(
        ("Cannot read the source type '%s': %s (at character %s). Types are, for example, long,"
                + " timestamp-micros, decimal(20,5), list<string>; docs/types.md has them all.")
            .formatted(text, what, next + 1));
  }

  static String quoted(String name) {
    return BARE_NAME.matcher(name).matches() ? name : "`" + name.replace("`", "``") + "`";
  }

  /** How many characters must change to turn one word into the other (Levenshtein). */
  static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }

  private String takeWhile(IntPredicate wanted, String what) {
    skipBlanks();
    int start = next;
    while (next < text.length() && wanted.test(text.charAt(next))) {
      next++;
    }
    if (start == next) {
      throw wrong(what + " is missing");
    }
    return text.substring(start, next);
  }

  private void skipBlanks() {
    while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
      next++;
    }
  }
}
