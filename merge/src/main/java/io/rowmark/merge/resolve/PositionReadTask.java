package io.rowmark.merge.resolve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.TypeUtil;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** Reads rows of data files by position: input rows are (file, position), sorted. */
final class PositionReadTask implements MapPartitionsFunction<Row, Row> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<Table> table;
  private final String schemaJson;

  PositionReadTask(Broadcast<Table> table, Schema schema) {
    this.table = table;
    this.schemaJson = SchemaParser.toJson(schema);
  }

  @Override
  public Iterator<Row> call(Iterator<Row> places) {
    List<Row> found = new ArrayList<>();
    String file = null;
    Set<Long> positions = new HashSet<>();
    while (places.hasNext()) {
      Row place = places.next();
      String next = place.getString(0);
      if (file != null && !file.equals(next)) {
        read(file, positions, found);
        positions.clear();
      }
      file = next;
      positions.add(place.getLong(1));
    }
    if (file != null) {
      read(file, positions, found);
    }
    return found.iterator();
  }

  private void read(String file, Set<Long> positions, List<Row> found) {
    Schema schema = SchemaParser.fromJson(schemaJson);
    Schema projection = TypeUtil.join(schema, new Schema(MetadataColumns.ROW_POSITION));
    StructType type = SparkSchemaUtil.convert(schema);
    scala.Function1<Object, Object> toRow = CatalystTypeConverters.createToScalaConverter(type);
    int positionAt = schema.columns().size();
    StructType projected = SparkSchemaUtil.convert(projection);
    try (CloseableIterable<InternalRow> rows =
        FormatModelRegistry.<InternalRow, StructType>readBuilder(
                FileFormat.fromFileName(file),
                InternalRow.class,
                table.value().io().newInputFile(file))
            .project(projection)
            .engineProjection(projected)
            .build()) {
      for (InternalRow row : rows) {
        long position = row.getLong(positionAt);
        if (positions.contains(position)) {
          found.add(RowFactory.create(file, position, toRow.apply(row)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read data file " + file, e);
    }
  }
}
