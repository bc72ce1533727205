package io.rowmark.formats.position;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.FileDeletes.Fate;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.DVFileWriter;
import org.apache.iceberg.deletes.DeleteGranularity;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.deletes.SortingPositionOnlyDeleteWriter;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * Writes the deletes of one data file at a time, in the table's positional format, taking in what
 * is deleted already.
 *
 * <p>One file per data file, also for deletion vectors: Iceberg's incremental snapshot expiry may
 * remove a shared Puffin file that still holds a live vector (docs/adr/0002). Each delete carries
 * the spec and partition of its data file, not the table's current spec.
 */
public final class FileDeleteWriter {
  private final Table table;
  private final DeleteFormat format;
  private final OutputFileFactory outputs;
  private final BaseDeleteLoader loader;

  /**
   * @param outputs names of new delete files; one writer per task attempt
   */
  public FileDeleteWriter(Table table, DeleteFormat format, OutputFileFactory outputs) {
    if (format == DeleteFormat.EQUALITY) {
      throw new IllegalArgumentException("Equality deletes have no positions");
    }
    this.table = table;
    this.format = format;
    this.outputs = outputs;
    this.loader =
        new BaseDeleteLoader(
            file -> EncryptingFileIO.combine(table.io(), table.encryption()).newInputFile(file));
  }

  /**
   * Deletes rows of a file.
   *
   * @param positions ascending, without repetition
   * @throws RowmarkException TABLE_STATE when a position lies behind the file's end or is deleted
   *     already: both say that the index is wrong, and going on would hide a row silently
   */
  public FileDeletes delete(LiveFile live, long[] positions) throws IOException {
    return write(live, positions);
  }

  /**
   * Puts all deletes of a file into this writer's format: those by position that it has, and more.
   *
   * @param more as in {@link #delete}; may be empty
   */
  public FileDeletes convert(LiveFile live, long[] more) throws IOException {
    boolean isConverted =
        format == DeleteFormat.POSITION
            || live.positionalDeletes().stream().allMatch(ContentFileUtil::isDV);
    if (more.length == 0 && isConverted) {
      return new FileDeletes(live.path(), Fate.MASKED, List.of(), List.of(), 0, 0);
    }
    return write(live, more);
  }

  private FileDeletes write(LiveFile live, long[] positions) throws IOException {
    List<DeleteFile> existing = live.positionalDeletes();
    PositionDeleteIndex before =
        existing.isEmpty()
            ? PositionDeleteIndex.empty()
            : loader.loadPositionDeletes(existing, live.path());
    check(live, positions, before);
    long after = (before.isEmpty() ? 0 : before.cardinality()) + positions.length;
    if (after == 0) {
      // a delete file of the whole partition may name other files only
      return new FileDeletes(live.path(), Fate.MASKED, List.of(), List.of(), 0, 0);
    }
    if (after == live.file().recordCount()) {
      return new FileDeletes(
          live.path(), Fate.EMPTIED, List.of(), fileScoped(existing), positions.length, after);
    }
    DeleteWriteResult result =
        format == DeleteFormat.DELETION_VECTOR
            ? writeVector(live, positions, before)
            : writePositions(live, positions, existing);
    return new FileDeletes(
        live.path(),
        Fate.MASKED,
        result.deleteFiles(),
        result.rewrittenDeleteFiles(),
        positions.length,
        after);
  }

  private static void check(LiveFile live, long[] positions, PositionDeleteIndex before) {
    long previous = -1;
    for (long position : positions) {
      if (position <= previous) {
        throw RowmarkException.tableState(
            "Position %d of data file '%s' was to be deleted twice. The index has two entries for one row; nothing was committed. Run 'rowmark index verify'."
                .formatted(position, live.path()));
      }
      if (position >= live.file().recordCount()) {
        throw RowmarkException.tableState(
            "The index points to position %d of data file '%s', which has %d rows. Nothing was committed. Run 'rowmark index verify'."
                .formatted(position, live.path(), live.file().recordCount()));
      }
      if (before.isDeleted(position)) {
        throw RowmarkException.tableState(
            "The index points to position %d of data file '%s', which is deleted already. Nothing was committed. Run 'rowmark index verify'."
                .formatted(position, live.path()));
      }
      previous = position;
    }
  }

  private DeleteWriteResult writeVector(LiveFile live, long[] positions, PositionDeleteIndex before)
      throws IOException {
    PartitionSpec spec = specOf(live);
    DVFileWriter writer = new BaseDVFileWriter(outputs, path -> before);
    try (writer) {
      if (positions.length == 0) {
        writer.delete(live.path(), before, spec, live.file().partition());
      }
      for (long position : positions) {
        writer.delete(live.path(), position, spec, live.file().partition());
      }
    }
    return writer.result();
  }

  private DeleteWriteResult writePositions(
      LiveFile live, long[] positions, List<DeleteFile> existing) throws IOException {
    List<DeleteFile> absorbed = fileScoped(existing);
    Function<CharSequence, PositionDeleteIndex> previous =
        path ->
            absorbed.isEmpty()
                ? PositionDeleteIndex.empty()
                : loader.loadPositionDeletes(absorbed, path);
    GenericFileWriterFactory files =
        new GenericFileWriterFactory.Builder(table).deleteFileFormat(FileFormat.PARQUET).build();
    PartitionSpec spec = specOf(live);
    SortingPositionOnlyDeleteWriter<Record> writer =
        new SortingPositionOnlyDeleteWriter<>(
            () ->
                files.newPositionDeleteWriter(
                    outputs.newOutputFile(spec, live.file().partition()),
                    spec,
                    live.file().partition()),
            DeleteGranularity.FILE,
            previous);
    try (writer) {
      PositionDelete<Record> delete = PositionDelete.create();
      for (long position : positions) {
        writer.write(delete.set(live.path(), position));
      }
    }
    return writer.result();
  }

  private PartitionSpec specOf(LiveFile live) {
    PartitionSpec spec = table.specs().get(live.file().specId());
    if (spec == null) {
      throw RowmarkException.tableState(
          "Data file '%s' has partition spec %d, which the table does not know any more."
              .formatted(live.path(), live.file().specId()));
    }
    return spec;
  }

  private static List<DeleteFile> fileScoped(List<DeleteFile> deletes) {
    return deletes.stream().filter(ContentFileUtil::isFileScoped).toList();
  }
}
