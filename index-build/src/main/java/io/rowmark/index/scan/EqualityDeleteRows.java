package io.rowmark.index.scan;

import io.rowmark.formats.key.KeySpec;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.types.Types;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The values in equality delete files whose columns are all of a key. */
public final class EqualityDeleteRows {
  /** Column that tells which of the delete files a value is from, by its place in the list. */
  public static final String BY = "deleted_by";

  private EqualityDeleteRows() {}

  /** Places in the key of some columns, in key order. */
  public static int[] ordinals(KeySpec key, Set<Integer> columns) {
    return IntStream.range(0, key.columns().size())
        .filter(i -> columns.contains(key.columns().get(i).fieldId()))
        .toArray();
  }

  /** The name of a key column here. */
  public static String column(int ordinal) {
    return "deleted_key" + ordinal;
  }

  /**
   * Reads delete files.
   *
   * @param columns field ids that all of these files compare, each of a key column
   */
  public static Dataset<Row> of(
      SparkSession spark, Table data, KeySpec key, Set<Integer> columns, List<DeleteFile> deletes) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    int[] ordinals = ordinals(key, columns);
    List<Types.NestedField> fields = new ArrayList<>();
    StructType shape = new StructType();
    for (int ordinal : ordinals) {
      Types.NestedField field = data.schema().findField(key.columns().get(ordinal).fieldId());
      fields.add(field);
      shape = shape.add(column(ordinal), SparkSchemaUtil.convert(field.type()));
    }
    Broadcast<Plan> plan =
        context.broadcast(
            new Plan(
                SerializableTableWithSize.copyOf(data),
                new Schema(fields),
                new ArrayList<>(deletes)));
    List<Integer> numbers = IntStream.range(0, deletes.size()).boxed().toList();
    int tasks = Math.max(1, Math.min(numbers.size(), context.defaultParallelism()));
    return InternalRows.asDataset(
        spark,
        shape.add(BY, DataTypes.IntegerType),
        context.parallelize(numbers, tasks).mapPartitions(new ReadTask(plan)));
  }

  private record Plan(Table table, Schema columns, ArrayList<DeleteFile> deletes)
      implements Serializable {}

  private record ReadTask(Broadcast<Plan> shipped)
      implements FlatMapFunction<Iterator<Integer>, InternalRow> {

    @Override
    public Iterator<InternalRow> call(Iterator<Integer> numbers) {
      List<InternalRow> rows = new ArrayList<>();
      numbers.forEachRemaining(number -> read(shipped.value(), number, rows));
      return rows.iterator();
    }

    /** Readers keep the deletes of a file in memory, and so may this. */
    private static void read(Plan plan, int number, List<InternalRow> rows) {
      DeleteFile delete = plan.deletes().get(number);
      StructType type = SparkSchemaUtil.convert(plan.columns());
      int width = type.fields().length;
      try (CloseableIterable<InternalRow> values =
          FormatModelRegistry.<InternalRow, StructType>readBuilder(
                  delete.format(),
                  InternalRow.class,
                  EncryptingFileIO.combine(plan.table().io(), plan.table().encryption())
                      .newInputFile(delete))
              .project(plan.columns())
              .engineProjection(type)
              .idToConstant(Map.of())
              .build()) {
        for (InternalRow value : values) {
          Object[] shaped = new Object[width + 1];
          for (int i = 0; i < width; i++) {
            shaped[i] = value.isNullAt(i) ? null : value.get(i, type.fields()[i].dataType());
          }
          shaped[width] = number;
          rows.add(new GenericInternalRow(shaped));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read delete file " + delete.location(), e);
      }
    }
  }
}
