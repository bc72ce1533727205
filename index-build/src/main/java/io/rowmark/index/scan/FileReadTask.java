package io.rowmark.index.scan;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.formats.ReadBuilder;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.spark.SparkUtil;
import org.apache.iceberg.util.PartitionUtil;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Reads live rows of data files in the shape of {@link KeyedRows}. */
final class FileReadTask implements FlatMapFunction<Iterator<FileReadTask.Part>, InternalRow> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<FileReadPlan> shipped;

  FileReadTask(Broadcast<FileReadPlan> shipped) {
    this.shipped = shipped;
  }

  /** Some row groups of a file. */
  record Part(int file, long start, long length) implements Serializable {}

  /** Says how rows of one file are put into the shape that is wanted. */
  interface Shaping {
    /**
     * @param read columns that the reader gives
     * @return gives a row that is valid until the next call
     */
    Function<InternalRow, InternalRow> of(StructType read, int file);
  }

  @Override
  public Iterator<InternalRow> call(Iterator<Part> parts) {
    FileReadPlan plan = shipped.value();
    return read(plan, parts, (read, file) -> new Shape(plan, read, file)::of);
  }

  /** The live rows of some parts, one after another, until the Spark task ends. */
  static Iterator<InternalRow> read(FileReadPlan plan, Iterator<Part> parts, Shaping shaping) {
    List<CloseableIterable<InternalRow>> rows = new ArrayList<>();
    parts.forEachRemaining(part -> rows.add(deferred(plan, part, shaping)));
    CloseableIterator<InternalRow> all = CloseableIterable.concat(rows).iterator();
    TaskContext.get()
        .addTaskCompletionListener(
            context -> {
              try {
                all.close();
              } catch (IOException e) {
                throw new UncheckedIOException("Cannot close a data file", e);
              }
            });
    return all;
  }

  /** Nothing is opened, and no delete is loaded, before its turn. */
  private static CloseableIterable<InternalRow> deferred(
      FileReadPlan plan, Part part, Shaping shaping) {
    return new CloseableIterable<>() {
      @Override
      public CloseableIterator<InternalRow> iterator() {
        return open(plan, part, shaping).iterator();
      }

      @Override
      public void close() {}
    };
  }

  private static CloseableIterable<InternalRow> open(
      FileReadPlan plan, Part part, Shaping shaping) {
    BaseFileScanTask scan = plan.scan(part.file());
    LiveRowFilter filter = new LiveRowFilter(plan, scan);
    Schema schema = filter.requiredSchema();
    StructType sparkSchema = SparkSchemaUtil.convert(schema);
    ReadBuilder<InternalRow, StructType> builder =
        FormatModelRegistry.<InternalRow, StructType>readBuilder(
                scan.file().format(),
                InternalRow.class,
                EncryptingFileIO.combine(plan.table().io(), plan.table().encryption())
                    .newInputFile(scan.file()))
            .project(schema)
            .engineProjection(sparkSchema)
            .split(part.start(), part.length())
            .idToConstant(PartitionUtil.constantsMap(scan, SparkUtil::internalToSpark));
    String mapping = plan.table().properties().get(TableProperties.DEFAULT_NAME_MAPPING);
    if (mapping != null) {
      builder.withNameMapping(NameMappingParser.fromJson(mapping));
    }
    return CloseableIterable.transform(
        filter.filter(builder.build()), shaping.of(sparkSchema, part.file()));
  }

  /** Puts what a reader gives into the common shape. */
  private static final class Shape {
    private final DataType[] keyTypes;
    private final @Nullable Object[] values;
    private final GenericInternalRow shaped;
    private final boolean hasRowIds;
    private final boolean hasAges;
    private final @Nullable Long ageOfFile;

    Shape(FileReadPlan plan, StructType read, int file) {
      int width = plan.key().columns().size();
      this.keyTypes = new DataType[width];
      for (int i = 0; i < width; i++) {
        keyTypes[i] = read.fields()[i].dataType();
      }
      this.values = new Object[width + KeyedRows.EXTRA + 1];
      this.values[width + KeyedRows.KIND] = KeyedRows.ROW;
      this.values[width + KeyedRows.FILE] = file;
      this.shaped = new GenericInternalRow(values);
      this.hasRowIds = plan.hasRowIds();
      boolean aged = plan.wanted() == FileReadPlan.Wanted.AGE;
      this.hasAges = aged && hasRowIds;
      this.ageOfFile = aged ? plan.scan(file).file().dataSequenceNumber() : null;
    }

    /** Valid until the next call. */
    InternalRow of(InternalRow row) {
      int width = keyTypes.length;
      for (int i = 0; i < width; i++) {
        values[i] = row.isNullAt(i) ? null : row.get(i, keyTypes[i]);
      }
      values[width + KeyedRows.POSITION] = row.getLong(width);
      boolean identified = hasRowIds && !row.isNullAt(width + 1);
      values[width + KeyedRows.ROW_ID] = identified ? row.getLong(width + 1) : null;
      boolean stated = hasAges && !row.isNullAt(width + 2);
      values[width + KeyedRows.EXTRA] = stated ? Long.valueOf(row.getLong(width + 2)) : ageOfFile;
      return shaped;
    }
  }
}
