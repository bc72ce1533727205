package io.rowmark.merge.source;

import io.rowmark.merge.spec.TableSpec;
import java.util.List;

/**
 * The new files of one table.
 *
 * @param files in arrival order, at least one
 */
public record TableInput(TableSpec spec, List<InputFile> files) {
  public TableInput {
    files = List.copyOf(files);
  }

  public long bytes() {
    return files.stream().mapToLong(InputFile::size).sum();
  }
}
