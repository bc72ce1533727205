package io.rowmark.formats.delete;

import java.util.Locale;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * The ways in which Iceberg can record a deleted row, cheapest for the writer first (Iceberg table
 * spec, "Delete Formats").
 */
public enum DeleteFormat {
  /** By key values; no lookup, but slow to read and refused by several engines. */
  EQUALITY,
  /** Format version 2: a file of (data file, position), one such file per data file. */
  POSITION,
  /** Format version 3: one bitmap per data file in a Puffin file. */
  DELETION_VECTOR;

  /** As written in configurations, capability data and reports. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The positional format of a table: version 3 allows new deletion vectors only. */
  public static DeleteFormat positional(int formatVersion) {
    return formatVersion >= 3 ? DELETION_VECTOR : POSITION;
  }

  /** The format of a delete file as manifests describe it. */
  public static DeleteFormat of(DeleteFile file) {
    if (file.content() == FileContent.EQUALITY_DELETES) {
      return EQUALITY;
    }
    return ContentFileUtil.isDV(file) ? DELETION_VECTOR : POSITION;
  }
}
