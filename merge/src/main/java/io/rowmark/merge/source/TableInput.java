package io.rowmark.merge.source;

import io.rowmark.merge.spec.TableSpec;
import java.util.List;

/**
 * The new inputs of one table.
 *
 * @param files in arrival order, at least one; snapshots of a source table count as files
 * @param content what is to be read for them
 */
public record TableInput(TableSpec spec, List<InputFile> files, InputContent content) {
  public TableInput {
    files = List.copyOf(files);
  }

  public long bytes() {
    return files.stream().mapToLong(InputFile::size).sum();
  }
}
