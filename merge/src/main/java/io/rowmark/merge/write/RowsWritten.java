package io.rowmark.merge.write;

import java.io.Serializable;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/** What one task attempt wrote. */
record RowsWritten(List<DataFile> dataFiles, List<DataFile> indexFiles, List<DeleteFile> keyDeletes)
    implements Serializable {
  RowsWritten {
    dataFiles = List.copyOf(dataFiles);
    indexFiles = List.copyOf(indexFiles);
    keyDeletes = List.copyOf(keyDeletes);
  }
}
