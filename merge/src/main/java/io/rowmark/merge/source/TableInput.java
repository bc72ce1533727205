package io.rowmark.merge.source;

import io.rowmark.merge.record.Portion;
import io.rowmark.merge.spec.TableSpec;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The new inputs of one table.
 *
 * @param files in arrival order, at least one; snapshots of a source table count as files
 * @param content what is to be read for them
 * @param portions what is taken of each
 */
public record TableInput(
    TableSpec spec, List<InputFile> files, InputContent content, List<Portion> portions) {
  public TableInput {
    files = List.copyOf(files);
    portions = List.copyOf(portions);
  }

  /** Inputs that are taken whole. */
  public TableInput(TableSpec spec, List<InputFile> files, InputContent content) {
    this(spec, files, content, Collections.nCopies(files.size(), Portion.WHOLE));
  }

  /** The inputs, each with what is left of it, to be remembered and not read. */
  public List<SideInput> aside() {
    return IntStream.range(0, files.size())
        .mapToObj(
            rank -> new SideInput(spec.table(), files.get(rank), portions.get(rank).heldBack()))
        .toList();
  }

  public long bytes() {
    return files.stream().mapToLong(InputFile::size).sum();
  }
}
