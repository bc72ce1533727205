package io.rowmark.formats.key;

import org.jspecify.annotations.Nullable;

/**
 * The least and greatest values that the key columns have in some set of rows: a file, a row group,
 * a page. A bound may be wider than the values, as truncated text bounds are, but never equal to
 * the other bound unless the column has one value only.
 */
public interface KeyBounds {
  /** In the column's {@link KeyForm}; null when unknown. */
  @Nullable Object lower(int column);

  /** In the column's {@link KeyForm}; null when unknown. */
  @Nullable Object upper(int column);
}
