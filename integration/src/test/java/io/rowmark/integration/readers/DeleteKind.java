package io.rowmark.integration.readers;

import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.util.ContentFileUtil;

/** How a delete file says what it hides, told from its manifest entry. */
enum DeleteKind {
  EQUALITY_GLOBAL,
  EQUALITY_IN_PARTITION,
  POSITION_OF_ONE_FILE,
  POSITION_SPANNING_FILES,
  DELETION_VECTOR;

  static DeleteKind of(DeleteFile file) {
    if (file.content() == FileContent.EQUALITY_DELETES) {
      return file.partition().size() == 0 ? EQUALITY_GLOBAL : EQUALITY_IN_PARTITION;
    }
    if (file.format() == FileFormat.PUFFIN) {
      return DELETION_VECTOR;
    }
    return ContentFileUtil.referencedDataFile(file) == null
        ? POSITION_SPANNING_FILES
        : POSITION_OF_ONE_FILE;
  }
}
