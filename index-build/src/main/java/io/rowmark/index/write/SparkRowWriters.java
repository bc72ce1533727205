package io.rowmark.index.write;

import java.util.Map;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.RegistryBasedFileWriterFactory;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.io.RollingDataWriter;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Makes rolling writers of Spark rows for one table and one task attempt. Iceberg's own factory for
 * Spark rows is not public; its base class is made to be extended for this.
 */
public final class SparkRowWriters {
  private final Table table;
  private final OutputFileFactory outputs;
  private final RowFactory factory;
  private final long targetBytes;

  /**
   * @param schema columns to write: the table's, or with the row lineage columns
   * @param sortOrder order in which the rows will come, recorded in the files; null for none
   */
  public SparkRowWriters(
      Table table, Schema schema, @Nullable SortOrder sortOrder, OutputFileFactory outputs) {
    this(
        table,
        schema,
        sortOrder,
        outputs,
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT));
  }

  /**
   * As above.
   *
   * @param targetBytes size at which a file ends, whatever the table says
   */
  public SparkRowWriters(
      Table table,
      Schema schema,
      @Nullable SortOrder sortOrder,
      OutputFileFactory outputs,
      long targetBytes) {
    this.table = table;
    this.outputs = outputs;
    this.factory = new RowFactory(table, schema, sortOrder);
    this.targetBytes = targetBytes;
  }

  /**
   * A writer for one partition. Before each write, {@code currentFilePath()} and {@code
   * currentFileRows()} are where the row will land: a file rolls only after a write.
   */
  public RollingDataWriter<InternalRow> rolling(
      PartitionSpec spec, @Nullable StructLike partition) {
    return new RollingDataWriter<>(factory, outputs, table.io(), targetBytes, spec, partition);
  }

  private static final class RowFactory
      extends RegistryBasedFileWriterFactory<InternalRow, StructType> {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("NullAway") // the base class takes null for what is not written
    RowFactory(Table table, Schema schema, @Nullable SortOrder sortOrder) {
      super(
          table,
          FileFormat.PARQUET,
          InternalRow.class,
          schema,
          sortOrder,
          FileFormat.PARQUET,
          null,
          null,
          null,
          Map.of(),
          SparkSchemaUtil.convert(schema),
          null);
    }
  }
}
