package io.rowmark.formats.failure;

import org.jspecify.annotations.Nullable;

/**
 * The one exception that a run throws. The message says what is wrong, where, and how to mend it;
 * it never holds row values.
 */
public final class RowmarkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Category category;
  private final Retry retry;

  /** Whether the same command may succeed when run again unchanged. */
  public enum Retry {
    HELPS,
    USELESS
  }

  public RowmarkException(
      Category category, Retry retry, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.category = category;
    this.retry = retry;
  }

  public static RowmarkException config(String message) {
    return new RowmarkException(Category.CONFIG, Retry.USELESS, message, null);
  }

  public static RowmarkException source(String message) {
    return new RowmarkException(Category.SOURCE, Retry.USELESS, message, null);
  }

  public static RowmarkException source(String message, Throwable cause) {
    return new RowmarkException(Category.SOURCE, Retry.USELESS, message, cause);
  }

  public static RowmarkException tableState(String message) {
    return new RowmarkException(Category.TABLE_STATE, Retry.USELESS, message, null);
  }

  public static RowmarkException internal(String message, @Nullable Throwable cause) {
    return new RowmarkException(Category.INTERNAL, Retry.USELESS, message, cause);
  }

  public Category category() {
    return category;
  }

  public boolean retryHelps() {
    return retry == Retry.HELPS;
  }
}
