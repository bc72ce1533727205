package io.rowmark.index.write;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.FileDeleteWriter;
import io.rowmark.formats.position.LiveFile;
import java.io.Serializable;
import java.util.Map;
import org.apache.iceberg.Table;

/**
 * What it takes to write the deletes of one table.
 *
 * @param files the touched files by path
 */
public record DeletePlan(
    Table table, DeleteFormat format, Map<String, LiveFile> files, String operationId)
    implements Serializable {

  /** A writer for a part of the files; no two parts may have the same number. */
  public FileDeleteWriter writer(TaskNumber task) {
    return task.deleteWriter(table, format, operationId);
  }
}
