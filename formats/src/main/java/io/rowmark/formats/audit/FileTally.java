package io.rowmark.formats.audit;

import java.util.List;

/**
 * A number of delete files.
 *
 * @param files delete files; each deletion vector counts, also where several share a Puffin file
 * @param records key values, or positions
 * @param bytes size; of a deletion vector that of its blob
 * @param examples up to {@link #EXAMPLES} paths, first in alphabetical order
 */
public record FileTally(long files, long records, long bytes, List<String> examples) {
  /** How many examples are kept. */
  public static final int EXAMPLES = 3;

  public FileTally {
    examples = List.copyOf(examples);
  }
}
