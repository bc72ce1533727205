package io.rowmark.merge.record;

import io.rowmark.formats.type.SourceType.StructOf;
import io.rowmark.merge.record.SourceRecord.Broken;
import io.rowmark.merge.record.SourceRecord.Fields;
import io.rowmark.merge.record.SourceRecord.Nothing;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Reads Avro object files, each with the schema it was written with. */
final class AvroRecords implements RecordReader {
  private final Slice slice;
  private final DataFileStream<Object> file;
  private final FileValue value;
  private final StructOf types;
  private @Nullable Object current;
  private long records;

  AvroRecords(Slice slice, InputStream stream) {
    this.slice = slice;
    try {
      file = new DataFileStream<>(stream, new GenericDatumReader<>());
    } catch (IOException e) {
      throw RecordReaders.unreadable(slice, e);
    }
    value = AvroValues.of(file.getSchema());
    types = value.struct();
  }

  @Override
  public boolean next() {
    try {
      if (!file.hasNext()) {
        return false;
      }
      current = file.next();
      records++;
      return true;
    } catch (AvroRuntimeException e) {
      throw RecordReaders.unreadable(slice, e);
    }
  }

  @Override
  public SourceRecord record() {
    if (current == null) {
      return new Nothing();
    }
    if (!(current instanceof IndexedRecord)) {
      return new Broken("not-an-object", "the record is no Avro record");
    }
    return new Fields(fields(Objects.requireNonNull(value.apply(current))), types, null);
  }

  @SuppressWarnings("unchecked") // AvroValues makes text keys only
  static Map<String, @Nullable Object> fields(Object record) {
    return (Map<String, @Nullable Object>) record;
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
