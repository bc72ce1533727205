package io.rowmark.merge.record;

import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.util.NoSuchElementException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;

/**
 * Counts the records of files without making anything of them: of Parquet only the footer is read,
 * of Avro the blocks are read and their records are not; all else is read as far as needed.
 */
public final class RecordCount {
  private final RecordReaders readers;
  private final Configuration hadoop;
  private final Counting counting;

  private enum Counting {
    FOOTER,
    BLOCKS,
    RECORDS
  }

  /**
   * @param readers of the source's format
   */
  public RecordCount(RecordReaders readers, Configuration hadoop) {
    this.readers = readers;
    this.hadoop = hadoop;
    this.counting =
        switch (readers.format()) {
          case PARQUET -> Counting.FOOTER;
          case AVRO -> Counting.BLOCKS;
          case JSON, JSON_DOCUMENTS, CSV -> Counting.RECORDS;
        };
  }

  /**
   * Records of a file, counted no further than needed.
   *
   * @param file as a whole
   * @param enough from here on it does not matter how many there are
   * @return the number, or one that is at least {@code enough}
   * @throws RowmarkException SOURCE when the file cannot be read so far
   */
  public long upTo(Slice file, long enough) {
    return switch (counting) {
      case FOOTER -> footer(file);
      case BLOCKS -> blocks(file, enough);
      case RECORDS -> records(file, enough);
    };
  }

  private long footer(Slice file) {
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromPath(new Path(file.path()), hadoop))) {
      return reader.getRecordCount();
    } catch (IOException | RuntimeException e) { // Parquet throws plain ones, too
      throw RecordReaders.unreadable(file, e);
    }
  }

  private long blocks(Slice file, long enough) {
    try (DataFileStream<Object> stream =
        new DataFileStream<>(readers.stream(file), new GenericDatumReader<>())) {
      long count = 0;
      while (count < enough && stream.hasNext()) {
        count += stream.getBlockCount();
        stream.nextBlock();
      }
      return count;
    } catch (IOException | AvroRuntimeException | NoSuchElementException e) {
      throw RecordReaders.unreadable(file, e);
    }
  }

  private long records(Slice file, long enough) {
    try (RecordReader reader = readers.open(file)) {
      long count = 0;
      while (count < enough && reader.next()) {
        count++;
      }
      return count;
    } catch (IOException e) {
      throw RecordReaders.unreadable(file, e);
    }
  }
}
