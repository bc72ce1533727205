package io.rowmark.app.engine;

import java.util.List;

/**
 * The comparison of an index with its table.
 *
 * @param index its table
 * @param compared live rows that were looked at
 * @param differences how many entries or rows have no match
 * @param examples the first of them, as places: data file and position
 */
public record IndexChecked(String index, long compared, long differences, List<String> examples) {
  public IndexChecked {
    examples = List.copyOf(examples);
  }
}
