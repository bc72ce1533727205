package io.rowmark.index.resolve;

import io.rowmark.formats.key.KeyBounds;
import io.rowmark.formats.key.KeyRange;
import io.rowmark.formats.key.SortedKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a row group that can hold wanted keys.
 *
 * @param pages of the first key column
 * @param rows null when pages cannot be told apart and the row group is to be read as a whole
 */
record CandidatePages(int pages, @Nullable RowRanges rows) {

  /** Bounds of a row group by its column chunk statistics. */
  static KeyBounds bounds(BlockMetaData group, IndexColumns columns) {
    return new KeyBounds() {
      @Override
      public @Nullable Object lower(int column) {
        Statistics<?> statistics = statistics(column);
        return statistics == null ? null : bound(column, statistics.getMinBytes());
      }

      @Override
      public @Nullable Object upper(int column) {
        Statistics<?> statistics = statistics(column);
        return statistics == null ? null : bound(column, statistics.getMaxBytes());
      }

      private @Nullable Statistics<?> statistics(int column) {
        Statistics<?> statistics =
            IndexFile.chunk(group, columns.keys().get(column).column()).getStatistics();
        return statistics == null || !statistics.hasNonNullValue() ? null : statistics;
      }

      private Object bound(int column, byte[] plain) {
        return columns.keys().get(column).bound(ByteBuffer.wrap(plain));
      }
    };
  }

  static CandidatePages of(IndexFile file, BlockMetaData group, SortedKeys keys, KeyRange range)
      throws IOException {
    PageBounds bounds = PageBounds.of(file, group);
    if (bounds == null) {
      return new CandidatePages(0, null);
    }
    int[] pages =
        IntStream.range(0, bounds.offsets.getPageCount())
            .filter(page -> !keys.within(range, bounds.at(page)).isEmpty())
            .toArray();
    return new CandidatePages(
        pages.length,
        RowRanges.create(group.getRowCount(), Arrays.stream(pages).iterator(), bounds.offsets));
  }

  /** Bounds of one page after the other. Later key columns are looked at only when needed. */
  private static final class PageBounds implements KeyBounds {
    private final IndexFile file;
    private final BlockMetaData group;
    private final OffsetIndex offsets;
    private final @Nullable ColumnIndex[] indexes;
    private final boolean[] tried;
    private int page;

    private PageBounds(
        IndexFile file, BlockMetaData group, OffsetIndex offsets, ColumnIndex first) {
      this.file = file;
      this.group = group;
      this.offsets = offsets;
      int width = file.columns().keys().size();
      this.indexes = new ColumnIndex[width];
      this.tried = new boolean[width];
      indexes[0] = first;
      tried[0] = true;
    }

    static @Nullable PageBounds of(IndexFile file, BlockMetaData group) throws IOException {
      if (!IndexFile.hasOffsetIndexes(group, file.columns().keyDescriptors())) {
        return null;
      }
      ColumnChunkMetaData chunk = chunk(file, group, 0);
      OffsetIndex offsets = file.offsetIndex(chunk);
      ColumnIndex index = file.columnIndex(chunk);
      return offsets == null || index == null ? null : new PageBounds(file, group, offsets, index);
    }

    private static ColumnChunkMetaData chunk(IndexFile file, BlockMetaData group, int column) {
      return IndexFile.chunk(group, file.columns().keys().get(column).column());
    }

    PageBounds at(int newPage) {
      page = newPage;
      return this;
    }

    @Override
    public @Nullable Object lower(int column) {
      ColumnIndex index = index(column);
      return index == null || index.getNullPages().get(page)
          ? null
          : file.columns().keys().get(column).bound(index.getMinValues().get(page));
    }

    @Override
    public @Nullable Object upper(int column) {
      ColumnIndex index = index(column);
      return index == null || index.getNullPages().get(page)
          ? null
          : file.columns().keys().get(column).bound(index.getMaxValues().get(page));
    }

    private @Nullable ColumnIndex index(int column) {
      if (!tried[column]) {
        tried[column] = true;
        try {
          indexes[column] = aligned(column);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return indexes[column];
    }

    /** The index of a later column, if its pages begin at the same rows as the first column's. */
    private @Nullable ColumnIndex aligned(int column) throws IOException {
      ColumnChunkMetaData chunk = chunk(file, group, column);
      OffsetIndex own = file.offsetIndex(chunk);
      if (own == null || own.getPageCount() != offsets.getPageCount()) {
        return null;
      }
      for (int i = 0; i < own.getPageCount(); i++) {
        if (own.getFirstRowIndex(i) != offsets.getFirstRowIndex(i)) {
          return null;
        }
      }
      return file.columnIndex(chunk);
    }
  }
}
