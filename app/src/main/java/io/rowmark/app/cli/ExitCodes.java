package io.rowmark.app.cli;

import io.rowmark.formats.failure.Category;

/**
 * Exit codes of {@code bin/rowmark}: one for each category, so that a scheduler can tell what a
 * repetition would help. Documented in {@link RootCommand}.
 */
public final class ExitCodes {
  public static final int SUCCESS = 0;
  public static final int USAGE = 2;

  private ExitCodes() {}

  public static int of(Category category) {
    return switch (category) {
      case INTERNAL -> 1;
      case CONFIG -> 3;
      case SOURCE -> 4;
      case TABLE_STATE -> 5;
      case CONFLICT -> 6;
      case UNKNOWN_COMMIT -> 7;
      case UNREADABLE -> 8;
    };
  }
}
