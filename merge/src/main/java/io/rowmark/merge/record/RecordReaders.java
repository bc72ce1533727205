package io.rowmark.merge.record;

import io.rowmark.formats.change.RowImages;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.RecordSpec;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens slices in the format of a source. One per task: what it learns of schemas serves all its
 * slices.
 */
public final class RecordReaders {
  private final RecordSpec spec;
  private final RowImages images;
  private final List<String> fields;
  private final Configuration hadoop;
  private final JsonRecords json = new JsonRecords();
  private final @Nullable FramedAvro framed;

  /**
   * @param images of the envelope, for the fields that lines of a file without header have first
   * @param fields the other fields of such lines
   */
  public RecordReaders(
      RecordSpec spec, RowImages images, List<String> fields, Configuration hadoop) {
    this.spec = spec;
    this.images = images;
    this.fields = fields;
    this.hadoop = hadoop;
    this.framed = spec.frames() == null ? null : new FramedAvro(spec.frames(), hadoop);
  }

  /** What a reader's current record is, with framed values read. */
  public SourceRecord record(RecordReader reader) {
    SourceRecord record = reader.record();
    return framed == null ? record : framed.unframed(record);
  }

  /**
   * @throws RowmarkException SOURCE when the file cannot be read
   */
  public RecordReader open(Slice slice) {
    RowsPart rows = slice.rows();
    if (rows != null) {
      return new TableRecords(slice, rows);
    }
    return switch (spec.format()) {
      case JSON -> json.lines(slice, hadoop);
      case JSON_DOCUMENTS -> json.documents(slice, stream(slice));
      case CSV -> new CsvRecords(slice, stream(slice), spec.csv(), images, fields);
      case AVRO -> new AvroRecords(slice, stream(slice));
      case PARQUET -> new ParquetRecords(slice, hadoop);
    };
  }

  RecordSpec.Format format() {
    return spec.format();
  }

  InputStream stream(Slice slice) {
    Path path = new Path(slice.path());
    CompressionCodec codec = new CompressionCodecFactory(hadoop).getCodec(path);
    try {
      InputStream raw = path.getFileSystem(hadoop).open(path);
      return codec == null ? raw : codec.createInputStream(raw);
    } catch (IOException e) {
      throw unreadable(slice, e);
    }
  }

  static RowmarkException unreadable(Slice slice, Exception e) {
    return RowmarkException.source(
        "File '%s' cannot be read to its end (%s). Restore it, or take it out of the source folder."
            .formatted(slice.name(), e.getMessage()),
        e);
  }
}
