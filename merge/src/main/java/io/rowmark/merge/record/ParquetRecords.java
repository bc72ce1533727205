package io.rowmark.merge.record;

import io.rowmark.formats.type.SourceType.StructOf;
import io.rowmark.merge.record.SourceRecord.Fields;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.jspecify.annotations.Nullable;

/** Reads Parquet files, each with its own schema, as the values are stored. */
final class ParquetRecords implements RecordReader {
  private static final String AVRO_SCHEMA = "parquet.avro.schema";

  private final Slice slice;
  private final ParquetReader<Group> file;
  private final FileValue value;
  private final StructOf types;
  private @Nullable Group current;
  private long records;

  ParquetRecords(Slice slice, Configuration hadoop) {
    this.slice = slice;
    Path path = new Path(slice.path());
    try {
      FileMetaData footer;
      try (ParquetFileReader reader =
          ParquetFileReader.open(HadoopInputFile.fromPath(path, hadoop))) {
        footer = reader.getFooter().getFileMetaData();
      }
      value = ParquetValues.of(footer.getSchema(), avro(footer.getKeyValueMetaData()));
      types = value.struct();
      file = ParquetReader.builder(new GroupReadSupport(), path).withConf(hadoop).build();
    } catch (IOException | RuntimeException e) { // Parquet throws plain ones, too
      throw RecordReaders.unreadable(slice, e);
    }
  }

  private static @Nullable Schema avro(Map<String, String> footer) {
    String text = footer.get(AVRO_SCHEMA);
    try {
      return text == null ? null : new Schema.Parser().setValidateDefaults(false).parse(text);
    } catch (AvroRuntimeException e) {
      // The Parquet schema alone reads the file as well, without semantic names.
      return null;
    }
  }

  @Override
  public boolean next() {
    try {
      current = file.read();
      records++;
      return current != null;
    } catch (IOException | RuntimeException e) {
      throw RecordReaders.unreadable(slice, e);
    }
  }

  @Override
  public SourceRecord record() {
    Object row = Objects.requireNonNull(value.apply(current));
    return new Fields(AvroRecords.fields(row), types, null);
  }

  @Override
  public long place() {
    return records;
  }

  @Override
  public byte @Nullable [] bytes() {
    return null;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
