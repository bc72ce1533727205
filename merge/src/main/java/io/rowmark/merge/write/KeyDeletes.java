package io.rowmark.merge.write;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.write.PartitionWriters;
import io.rowmark.index.write.TaskNumber;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.RegistryBasedFileWriterFactory;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.io.RollingEqualityDeleteWriter;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The equality deletes of one task attempt: the key of every change, in the order in which the
 * changes come, whether or not the table has such a row. Nothing was looked up, so an insert may be
 * one that comes again.
 */
final class KeyDeletes implements Closeable {
  private final PartitionWriters<RollingEqualityDeleteWriter<InternalRow>, DeleteWriteResult>
      writers;
  private final PartitionSpec spec;
  private final int[] ordinals;
  private final DataType[] types;
  private final KeyBounds bounds;

  /**
   * @param spec of the delete files, as {@link io.rowmark.merge.plan.DeleteMode.ByKey} says
   */
  KeyDeletes(Table table, KeySpec key, PartitionSpec spec, String operationId, TaskNumber task) {
    Schema row = table.schema();
    // the order of the table's columns, which some readers take for granted
    List<Types.NestedField> fields =
        key.columns().stream()
            .map(column -> Objects.requireNonNull(row.findField(column.fieldId())))
            .sorted(Comparator.comparing(row.columns()::indexOf))
            .toList();
    OutputFileFactory outputs =
        OutputFileFactory.builderFor(table, task.partition(), task.attempt())
            .operationId(operationId)
            .format(FileFormat.PARQUET)
            .suffix("deletes")
            .build();
    RowFactory factory = new RowFactory(table, new Schema(fields));
    long targetBytes =
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.DELETE_TARGET_FILE_SIZE_BYTES,
            TableProperties.DELETE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    this.writers =
        new PartitionWriters<>(
            partition ->
                new RollingEqualityDeleteWriter<>(
                    factory, outputs, table.io(), targetBytes, spec, partition),
            spec,
            row);
    this.spec = spec;
    this.ordinals = fields.stream().mapToInt(row.columns()::indexOf).toArray();
    this.types =
        fields.stream()
            .map(field -> SparkSchemaUtil.convert(field.type()))
            .toArray(DataType[]::new);
    this.bounds = KeyBounds.of(fields);
  }

  /**
   * Deletes the rows of a key from all earlier commits.
   *
   * @param row in the table's columns, of which only the key has to be set
   */
  void add(InternalRow row) throws IOException {
    @Nullable Object[] values = new Object[ordinals.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.get(ordinals[i], types[i]);
    }
    writers.of(row).write(new GenericInternalRow(values));
  }

  @Override
  public void close() throws IOException {
    writers.close();
  }

  /** The files written, after {@link #close}. */
  List<DeleteFile> files() {
    List<DeleteFile> files = new ArrayList<>();
    for (DeleteWriteResult result : writers.results()) {
      result.deleteFiles().forEach(file -> files.add(bounds.safe(spec, file)));
    }
    return files;
  }

  /** Iceberg's own factory for Spark rows is not public; its base class is made to be extended. */
  private static final class RowFactory
      extends RegistryBasedFileWriterFactory<InternalRow, StructType> {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("NullAway") // the base class takes null for what is not written
    RowFactory(Table table, Schema key) {
      super(
          table,
          FileFormat.PARQUET,
          InternalRow.class,
          null,
          null,
          FileFormat.PARQUET,
          key.columns().stream().mapToInt(Types.NestedField::fieldId).toArray(),
          key,
          SortOrder.unsorted(),
          java.util.Map.of(),
          null,
          SparkSchemaUtil.convert(key));
    }
  }
}
