package io.rowmark.index.write;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.LiveFile;
import java.io.Serializable;
import java.util.Map;
import org.apache.iceberg.Table;

/**
 * What a task needs to write the deletes of one table.
 *
 * @param files the touched files by path
 */
public record DeletePlan(
    Table table, DeleteFormat format, Map<String, LiveFile> files, String operationId)
    implements Serializable {}
