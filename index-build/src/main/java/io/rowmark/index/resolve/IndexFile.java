package io.rowmark.index.resolve;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.resolve.RangedStream.Range;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.io.InputFile;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.apache.parquet.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

/**
 * An open index file: its footer, its page indexes, and its pages by row range.
 *
 * <p>Two Parquet readers share one stream, since a reader keeps the page indexes of the columns
 * that it was first asked for: one for the key columns and one for the rest.
 */
final class IndexFile implements Closeable {
  private final String path;
  private final RangedStream stream;
  private final ParquetMetadata footer;
  private final ParquetFileReader keyReader;
  private final ParquetFileReader placeReader;
  private final IndexColumns columns;

  /** Which of the two readers. */
  enum Part {
    KEYS,
    PLACES
  }

  private IndexFile(
      String path,
      RangedStream stream,
      ParquetMetadata footer,
      ParquetFileReader keyReader,
      ParquetFileReader placeReader,
      IndexColumns columns) {
    this.path = path;
    this.stream = stream;
    this.footer = footer;
    this.keyReader = keyReader;
    this.placeReader = placeReader;
    this.columns = columns;
  }

  static IndexFile open(
      InputFile file, Schema index, KeySpec key, ReadRanges ranges, ReadMeter meter)
      throws IOException {
    long length = file.getLength();
    RangedStream stream = new RangedStream(file, length, ranges, meter);
    try {
      Source source = new Source(file.location(), length, stream);
      ParquetReadOptions options =
          ParquetReadOptions.builder(new PlainParquetConfiguration())
              .withUseHadoopVectoredIo(true)
              .build();
      ParquetMetadata footer = ParquetFileReader.readFooter(source, options, stream);
      IndexColumns columns =
          IndexColumns.of(footer.getFileMetaData().getSchema(), index, key, file.location());
      ParquetFileReader keys = ParquetFileReader.open(source, footer, options, stream);
      ParquetFileReader places = ParquetFileReader.open(source, footer, options, stream);
      return new IndexFile(file.location(), stream, footer, keys, places, columns);
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  String path() {
    return path;
  }

  IndexColumns columns() {
    return columns;
  }

  List<BlockMetaData> rowGroups() {
    return footer.getBlocks();
  }

  /** Column chunk of a column in a row group. */
  static ColumnChunkMetaData chunk(BlockMetaData group, ColumnDescriptor column) {
    for (ColumnChunkMetaData chunk : group.getColumns()) {
      if (chunk.getPath().size() == 1 && chunk.getPath().toArray()[0].equals(column.getPath()[0])) {
        return chunk;
      }
    }
    throw new IllegalStateException("No column chunk of " + column);
  }

  /** Reads the page indexes that finding pages of some row groups will need, at once. */
  void loadKeyIndexes(List<BlockMetaData> groups) throws IOException {
    List<Range> ranges = new ArrayList<>();
    for (BlockMetaData group : groups) {
      for (int i = 0; i < columns.keys().size(); i++) {
        ColumnChunkMetaData chunk = chunk(group, columns.keys().get(i).column());
        if (i == 0) {
          add(ranges, chunk.getColumnIndexReference());
        }
        add(ranges, chunk.getOffsetIndexReference());
      }
    }
    stream.load(ranges);
  }

  /** Reads the offset indexes that reading some columns of a row group will need, at once. */
  void loadOffsetIndexes(BlockMetaData group, List<ColumnDescriptor> wanted) throws IOException {
    List<Range> ranges = new ArrayList<>();
    wanted.forEach(column -> add(ranges, chunk(group, column).getOffsetIndexReference()));
    stream.load(ranges);
  }

  private static void add(List<Range> ranges, @Nullable IndexReference reference) {
    if (reference != null) {
      ranges.add(new Range(reference.getOffset(), reference.getLength()));
    }
  }

  @Nullable ColumnIndex columnIndex(ColumnChunkMetaData chunk) throws IOException {
    return keyReader.readColumnIndex(chunk);
  }

  @Nullable OffsetIndex offsetIndex(ColumnChunkMetaData chunk) throws IOException {
    return keyReader.readOffsetIndex(chunk);
  }

  /** Whether single pages of these columns can be read. */
  static boolean hasOffsetIndexes(BlockMetaData group, List<ColumnDescriptor> wanted) {
    return wanted.stream()
        .allMatch(column -> chunk(group, column).getOffsetIndexReference() != null);
  }

  /**
   * Reads the pages of some columns that have rows of the ranges.
   *
   * @param rows null for the whole row group
   */
  RowCursor read(Part part, int group, List<ColumnDescriptor> wanted, @Nullable RowRanges rows)
      throws IOException {
    ParquetFileReader reader = part == Part.KEYS ? keyReader : placeReader;
    reader.setRequestedSchema(wanted);
    PageReadStore pages =
        rows == null ? reader.readRowGroup(group) : reader.readFilteredRowGroup(group, rows);
    return new RowCursor(pages, wanted);
  }

  @Override
  public void close() throws IOException {
    keyReader.close();
    placeReader.close();
  }

  /** The one stream under the name that Parquet asks for. */
  private record Source(String path, long length, RangedStream stream)
      implements org.apache.parquet.io.InputFile {
    @Override
    public long getLength() {
      return length;
    }

    @Override
    public SeekableInputStream newStream() {
      return stream;
    }

    @Override
    public String toString() {
      return path;
    }
  }
}
