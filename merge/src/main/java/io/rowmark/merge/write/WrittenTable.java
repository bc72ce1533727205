package io.rowmark.merge.write;

import io.rowmark.formats.position.FileDeletes;
import io.rowmark.merge.resolve.ResolvedTable;
import java.util.List;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/**
 * The files of one table that a batch wrote and nothing refers to yet.
 *
 * @param dataFiles new data files
 * @param indexFiles the batch's sorted run of the index
 * @param dataDeletes what hides or drops old rows, one per touched data file
 * @param indexDeletes what hides or drops old entries, one per touched index file
 * @param keyDeletes files that hide old rows by their keys; empty where an index says where they
 *     are
 */
public record WrittenTable(
    ResolvedTable resolved,
    List<DataFile> dataFiles,
    List<DataFile> indexFiles,
    List<FileDeletes> dataDeletes,
    List<FileDeletes> indexDeletes,
    List<DeleteFile> keyDeletes) {
  public WrittenTable {
    dataFiles = List.copyOf(dataFiles);
    indexFiles = List.copyOf(indexFiles);
    dataDeletes = List.copyOf(dataDeletes);
    indexDeletes = List.copyOf(indexDeletes);
    keyDeletes = List.copyOf(keyDeletes);
  }

  /** Bytes of all files written. */
  public long bytes() {
    return bytes(dataFiles)
        + bytes(indexFiles)
        + bytes(keyDeletes)
        + dataDeletes.stream().mapToLong(deletes -> deleteBytes(deletes)).sum()
        + indexDeletes.stream().mapToLong(deletes -> deleteBytes(deletes)).sum();
  }

  public static long bytes(List<? extends ContentFile<?>> files) {
    return files.stream().mapToLong(ContentFile::fileSizeInBytes).sum();
  }

  private static long deleteBytes(FileDeletes deletes) {
    return deletes.added().stream().mapToLong(ContentFile::fileSizeInBytes).sum();
  }
}
