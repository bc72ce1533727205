package io.rowmark.merge.resolve;

import io.rowmark.formats.position.LiveFile;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.formats.ReadBuilder;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.spark.SparkUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;

/** Reads rows of data files by position: input rows are (file, position), sorted. */
final class PositionReadTask implements MapPartitionsFunction<Row, Row> {
  private static final long serialVersionUID = 1L;
  private static final String TIMES = "spark.sql.datetime.java8API.enabled";

  private final Broadcast<ReadPlan> shipped;

  PositionReadTask(Broadcast<ReadPlan> shipped) {
    this.shipped = shipped;
  }

  /**
   * What the task needs.
   *
   * @param files the files to read, by path
   * @param times which of Java's classes the driver's session takes for times; a task knows nothing
   *     of it where it runs outside a query
   */
  record ReadPlan(Table table, String schemaJson, Map<String, LiveFile> files, String times)
      implements Serializable {

    static ReadPlan of(Table table, String schemaJson, Map<String, LiveFile> files) {
      String times = SQLConf.get().getConfString(TIMES, "false");
      return new ReadPlan(table, schemaJson, files, times);
    }

    scala.Function1<Object, Object> toRow(StructType type) {
      SQLConf session = new SQLConf();
      session.setConfString(TIMES, times);
      return SQLConf.withExistingConf(
          session, () -> CatalystTypeConverters.createToScalaConverter(type));
    }
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
    ReadPlan plan = shipped.value();
    Schema schema = SchemaParser.fromJson(plan.schemaJson());
    DataFile live = Objects.requireNonNull(plan.files().get(file)).file();
    Schema projection = TypeUtil.join(schema, new Schema(MetadataColumns.ROW_POSITION));
    int positionAt = schema.columns().size();
    StructType projected = SparkSchemaUtil.convert(projection);
    // the converter goes by the width of what is read, so it must know the position as well
    scala.Function1<Object, Object> toRow = plan.toRow(projected);
    ReadBuilder<InternalRow, StructType> builder =
        FormatModelRegistry.<InternalRow, StructType>readBuilder(
                live.format(), InternalRow.class, plan.table().io().newInputFile(live))
            .project(projection)
            .engineProjection(projected)
            .idToConstant(identityValues(plan.table(), live));
    String mapping = plan.table().properties().get(TableProperties.DEFAULT_NAME_MAPPING);
    if (mapping != null) {
      builder.withNameMapping(NameMappingParser.fromJson(mapping));
    }
    try (CloseableIterable<InternalRow> rows = builder.build()) {
      for (InternalRow row : rows) {
        long position = row.getLong(positionAt);
        if (positions.contains(position)) {
          found.add(RowFactory.create(file, position, first(positionAt, (Row) toRow.apply(row))));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read data file " + file, e);
    }
  }

  private static Row first(int columns, Row row) {
    Object[] values = new Object[columns];
    for (int i = 0; i < columns; i++) {
      values[i] = row.get(i);
    }
    return RowFactory.create(values);
  }

  /**
   * Identity partition values by field id. Files that were imported from a Hive table do not hold
   * these columns (Iceberg table spec, "Column Projection").
   */
  private static Map<Integer, Object> identityValues(Table table, DataFile file) {
    Map<Integer, Object> values = new HashMap<>();
    PartitionSpec spec = Objects.requireNonNull(table.specs().get(file.specId()));
    for (int i = 0; i < spec.fields().size(); i++) {
      PartitionField field = spec.fields().get(i);
      if (field.transform().isIdentity()) {
        Type type = spec.partitionType().fields().get(i).type();
        values.put(
            field.sourceId(),
            SparkUtil.internalToSpark(type, file.partition().get(i, Object.class)));
      }
    }
    return values;
  }
}
