package io.rowmark.index.resolve;

import io.rowmark.index.lookup.IndexEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/** Reads what index entries say, for the rows of one file that have wanted keys. */
final class PlaceReader {
  private static final int DATA_FILE = 0;
  private static final int POSITION = 1;
  private static final int ROW_ID = 2;
  private static final int CHANGE_ORDER = 3;

  private final IndexFile file;
  private final ReadMeter meter;
  private final Map<Binary, String> paths = new HashMap<>();

  PlaceReader(IndexFile file, ReadMeter meter) {
    this.file = file;
    this.meter = meter;
  }

  /**
   * @param group number of the row group
   * @param firstRow row number in the file of the group's first row
   */
  void read(int group, long firstRow, RowMatches matches, List<IndexHit> hits) throws IOException {
    BlockMetaData block = file.rowGroups().get(group);
    int[] columns = new int[4];
    List<ColumnDescriptor> wanted = new ArrayList<>();
    for (int i = 0; i < columns.length; i++) {
      ColumnDescriptor column = file.columns().places().get(i);
      boolean present = column != null && !isAllNull(IndexFile.chunk(block, column));
      columns[i] = present ? wanted.size() : -1;
      if (present && column != null) {
        wanted.add(column);
      }
    }
    if (wanted.isEmpty()) {
      for (int i = 0; i < matches.size(); i++) {
        hits.add(hit(matches, i, firstRow, new IndexEntry(null, null, null, null)));
      }
      return;
    }
    boolean byPage = IndexFile.hasOffsetIndexes(block, wanted);
    if (byPage) {
      file.loadOffsetIndexes(block, wanted);
      countPages(block, wanted.get(0), matches);
    }
    RowCursor rows =
        file.read(IndexFile.Part.PLACES, group, wanted, byPage ? ranges(block, matches) : null);
    for (int i = 0; i < matches.size(); i++) {
      rows.moveTo(matches.row(i));
      hits.add(hit(matches, i, firstRow, entry(rows, columns)));
    }
  }

  private IndexHit hit(RowMatches matches, int i, long firstRow, IndexEntry entry) {
    return new IndexHit(matches.key(i), entry, file.path(), firstRow + matches.row(i));
  }

  private static boolean isAllNull(ColumnChunkMetaData chunk) {
    Statistics<?> statistics = chunk.getStatistics();
    return statistics != null
        && statistics.isNumNullsSet()
        && statistics.getNumNulls() == chunk.getValueCount();
  }

  private void countPages(BlockMetaData block, ColumnDescriptor column, RowMatches matches)
      throws IOException {
    OffsetIndex offsets = file.offsetIndex(IndexFile.chunk(block, column));
    if (offsets == null) {
      return;
    }
    int pages = 0;
    int page = 0;
    int counted = -1;
    for (int i = 0; i < matches.size(); i++) {
      while (offsets.getLastRowIndex(page, block.getRowCount()) < matches.row(i)) {
        page++;
      }
      if (page != counted) {
        pages++;
        counted = page;
      }
    }
    meter.placePages(pages);
  }

  private static RowRanges ranges(BlockMetaData block, RowMatches matches) {
    RowRuns runs = new RowRuns(matches);
    PrimitiveIterator.OfInt all = IntStream.range(0, runs.getPageCount()).iterator();
    return RowRanges.create(block.getRowCount(), all, runs);
  }

  private IndexEntry entry(RowCursor rows, int[] columns) {
    return new IndexEntry(
        isNull(rows, columns[DATA_FILE]) ? null : path(rows, columns[DATA_FILE]),
        number(rows, columns[POSITION]),
        number(rows, columns[ROW_ID]),
        isNull(rows, columns[CHANGE_ORDER])
            ? null
            : rows.reader(columns[CHANGE_ORDER]).readBytes().getBytes());
  }

  private static boolean isNull(RowCursor rows, int column) {
    return column < 0 || rows.isNull(column);
  }

  private static @Nullable Long number(RowCursor rows, int column) {
    return isNull(rows, column) ? null : Long.valueOf(rows.reader(column).readLong());
  }

  /** Few paths repeat over many entries. */
  private String path(RowCursor rows, int column) {
    Binary binary = rows.reader(column).readBytes();
    String path = paths.get(binary);
    if (path == null) {
      byte[] bytes = binary.getBytes();
      path = new String(bytes, StandardCharsets.UTF_8);
      paths.put(Binary.fromConstantByteArray(bytes), path);
    }
    return path;
  }

  /** Runs of neighbouring rows, in the shape from which Parquet makes row ranges. */
  private static final class RowRuns implements OffsetIndex {
    private final long[] first;
    private final long[] last;
    private int count;

    RowRuns(RowMatches matches) {
      first = new long[matches.size()];
      last = new long[matches.size()];
      for (int i = 0; i < matches.size(); i++) {
        long row = matches.row(i);
        if (count > 0 && last[count - 1] == row - 1) {
          last[count - 1] = row;
        } else {
          first[count] = row;
          last[count] = row;
          count++;
        }
      }
    }

    @Override
    public int getPageCount() {
      return count;
    }

    @Override
    public long getFirstRowIndex(int run) {
      return first[run];
    }

    @Override
    public long getLastRowIndex(int run, long rowCount) {
      return last[run];
    }

    @Override
    public long getOffset(int run) {
      throw new UnsupportedOperationException("Runs of rows have no place in the file");
    }

    @Override
    public int getCompressedPageSize(int run) {
      throw new UnsupportedOperationException("Runs of rows have no size");
    }
  }
}
