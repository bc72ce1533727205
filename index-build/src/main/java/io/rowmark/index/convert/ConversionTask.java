package io.rowmark.index.convert;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.FileDeleteWriter;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.write.TaskNumber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;

/** Writes the positional deletes of some data files; yields serialized {@link FileDeletes}. */
final class ConversionTask implements FlatMapFunction<Iterator<LiveFile>, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<Table> shared;
  private final String schemaJson;
  private final DeleteFormat to;
  private final String operationId;

  /**
   * @param schemaJson every column that the table ever had
   */
  ConversionTask(Broadcast<Table> shared, String schemaJson, DeleteFormat to, String operationId) {
    this.shared = shared;
    this.schemaJson = schemaJson;
    this.to = to;
    this.operationId = operationId;
  }

  @Override
  public Iterator<byte[]> call(Iterator<LiveFile> files) {
    Table table = shared.value();
    FileDeleteWriter writer = TaskNumber.current().deleteWriter(table, to, operationId);
    DeadRows dead = new DeadRows(table, SchemaParser.fromJson(schemaJson));
    List<byte[]> results = new ArrayList<>();
    while (files.hasNext()) {
      LiveFile live = files.next();
      try {
        FileDeletes deletes = writer.convert(live, dead.byValue(live));
        results.add(SerializationUtil.serializeToBytes(deletes));
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot convert the deletes of data file " + live.path(), e);
      }
    }
    return results.iterator();
  }
}
