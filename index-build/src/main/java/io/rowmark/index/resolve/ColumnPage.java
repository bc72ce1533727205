package io.rowmark.index.resolve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.BitSet;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.jspecify.annotations.Nullable;

/**
 * One page of a flat column, each value of which is a row's. Parquet's own decoders give the
 * values; rows that nobody asks for are passed over as the encoding allows, in one step where it is
 * delta binary packed.
 */
final class ColumnPage {
  private final long firstRow;
  private final int rows;
  private final @Nullable BitSet present;
  private final ValuesReader values;
  private int row;
  private boolean taken;

  /**
   * @param present rows that have a value; null when all have
   */
  private ColumnPage(long firstRow, int rows, @Nullable BitSet present, ValuesReader values) {
    this.firstRow = firstRow;
    this.rows = rows;
    this.present = present;
    this.values = values;
  }

  /**
   * @param dictionary of the column in this row group; null when it has none
   * @param firstRow number of the page's first row in the row group
   */
  static ColumnPage of(
      DataPage page, ColumnDescriptor column, @Nullable Dictionary dictionary, long firstRow) {
    try {
      return page instanceof DataPageV2 second
          ? of(second, column, dictionary, firstRow)
          : of((DataPageV1) page, column, dictionary, firstRow);
    } catch (IOException e) {
      throw new UncheckedIOException("A page of %s cannot be read".formatted(column), e);
    }
  }

  private static ColumnPage of(
      DataPageV2 page, ColumnDescriptor column, @Nullable Dictionary dictionary, long firstRow)
      throws IOException {
    int rows = page.getValueCount();
    BitSet present = null;
    if (column.getMaxDefinitionLevel() > 0 && page.getNullCount() > 0) {
      int most = column.getMaxDefinitionLevel();
      var levels =
          new RunLengthBitPackingHybridDecoder(
              BytesUtils.getWidthFromMaxInt(most), page.getDefinitionLevels().toInputStream());
      present = new BitSet(rows);
      for (int row = 0; row < rows; row++) {
        present.set(row, levels.readInt() == most);
      }
    }
    ByteBufferInputStream data = page.getData().toInputStream();
    return new ColumnPage(
        firstRow, rows, present, values(page.getDataEncoding(), rows, column, dictionary, data));
  }

  private static ColumnPage of(
      DataPageV1 page, ColumnDescriptor column, @Nullable Dictionary dictionary, long firstRow)
      throws IOException {
    int rows = page.getValueCount();
    ByteBufferInputStream data = page.getBytes().toInputStream();
    page.getRlEncoding()
        .getValuesReader(column, ValuesType.REPETITION_LEVEL)
        .initFromPage(rows, data);
    ValuesReader levels = page.getDlEncoding().getValuesReader(column, ValuesType.DEFINITION_LEVEL);
    levels.initFromPage(rows, data);
    BitSet present = null;
    int most = column.getMaxDefinitionLevel();
    if (most > 0) {
      present = new BitSet(rows);
      for (int row = 0; row < rows; row++) {
        present.set(row, levels.readInteger() == most);
      }
    }
    return new ColumnPage(
        firstRow, rows, present, values(page.getValueEncoding(), rows, column, dictionary, data));
  }

  private static ValuesReader values(
      Encoding encoding,
      int rows,
      ColumnDescriptor column,
      @Nullable Dictionary dictionary,
      ByteBufferInputStream data)
      throws IOException {
    if (encoding.usesDictionary() && dictionary == null) {
      throw new IOException("There is no dictionary for its encoding " + encoding);
    }
    ValuesReader values =
        encoding.usesDictionary()
            ? encoding.getDictionaryBasedValuesReader(column, ValuesType.VALUES, dictionary)
            : encoding.getValuesReader(column, ValuesType.VALUES);
    values.initFromPage(rows, data);
    return values;
  }

  /** Number of the first row in the row group. */
  long firstRow() {
    return firstRow;
  }

  int rows() {
    return rows;
  }

  /** Whether every row has a value. */
  boolean isDense() {
    return present == null;
  }

  /** Goes forward to a row of the page, counted from its first. */
  void moveTo(int target) {
    if (target == row) {
      return;
    }
    int from = taken ? row + 1 : row;
    int passed =
        present == null ? target - from : present.get(from, Math.max(from, target)).cardinality();
    if (passed > 0) {
      values.skip(passed);
    }
    row = target;
    taken = false;
  }

  boolean isNull() {
    return isNull(row);
  }

  /** Whether a row, counted from the page's first, has no value. */
  boolean isNull(int of) {
    return present != null && !present.get(of);
  }

  /** The reader to take the current row's value from, once, or those of all rows from the first. */
  ValuesReader take() {
    taken = true;
    return values;
  }
}
