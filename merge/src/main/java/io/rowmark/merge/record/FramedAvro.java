package io.rowmark.merge.record;

import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import io.rowmark.merge.record.SourceRecord.Broken;
import io.rowmark.merge.record.SourceRecord.Fields;
import io.rowmark.merge.spec.RecordSpec.Frames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads Avro in Confluent's wire format out of records, each by the schema that it names. Schemas
 * come from a folder and are read once for each task.
 */
final class FramedAvro {
  private static final int NUMBER = 0;
  private static final int GUID = 1;

  /** A schema as it is used. */
  private record Known(Schema schema, FileValue value, StructOf types) {}

  private final Frames frames;
  private final Configuration hadoop;
  private final Map<String, Optional<Known>> schemas = new HashMap<>();

  FramedAvro(Frames frames, Configuration hadoop) {
    this.frames = frames;
    this.hadoop = hadoop;
  }

  /** The record with the framed bytes read; null bytes stay null. */
  SourceRecord unframed(SourceRecord record) {
    if (!(record instanceof Fields fields)) {
      return record;
    }
    FieldPath path = frames.bytes();
    Object framed = path.in(fields.values());
    if (framed == null) {
      return record;
    }
    byte[] bytes;
    try {
      bytes = framed instanceof byte[] raw ? raw : Base64.getDecoder().decode(framed.toString());
    } catch (IllegalArgumentException e) {
      return new Broken("bad-base64", "the framed bytes are no base64");
    }
    return read(fields, path.names(), ByteBuffer.wrap(bytes));
  }

  private SourceRecord read(Fields record, List<String> path, ByteBuffer bytes) {
    if (!bytes.hasRemaining()) {
      return tooShort();
    }
    int magic = bytes.get();
    if (magic != NUMBER && magic != GUID) {
      return new Broken("bad-magic", "the framed bytes begin with neither 0 nor 1");
    }
    if (bytes.remaining() < (magic == NUMBER ? Integer.BYTES : 2 * Long.BYTES)) {
      return tooShort();
    }
    String id =
        magic == NUMBER
            ? Integer.toUnsignedString(bytes.getInt())
            : new UUID(bytes.getLong(), bytes.getLong()).toString();
    Known known = schemas.computeIfAbsent(id, this::load).orElse(null);
    if (known == null) {
      return new Broken("unknown-schema-id", "the folder of schemas has no %s.avsc".formatted(id));
    }
    Object value = decode(known, bytes);
    return value == null
        ? new Broken("bad-avro", "the bytes are no Avro of schema %s".formatted(id))
        : new Fields(replaced(record.values(), path, value), known.types(), null);
  }

  private static Broken tooShort() {
    return new Broken("too-short", "the framed bytes end before their schema's number");
  }

  /** Null when the bytes are no value of the schema, or more follow. */
  private static @Nullable Object decode(Known known, ByteBuffer bytes) {
    try {
      BinaryDecoder decoder =
          DecoderFactory.get()
              .binaryDecoder(
                  bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining(), null);
      Object value = new GenericDatumReader<>(known.schema()).read(null, decoder);
      return decoder.isEnd() && value instanceof IndexedRecord ? known.value().apply(value) : null;
    } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  private static Map<String, @Nullable Object> replaced(
      Map<String, @Nullable Object> values, List<String> path, Object value) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>(values);
    String name = path.get(0);
    copy.put(
        name,
        path.size() == 1
            ? value
            : replaced(
                AvroRecords.fields(Objects.requireNonNull(values.get(name))),
                path.subList(1, path.size()),
                value));
    return copy;
  }

  private Optional<Known> load(String id) {
    Path file = new Path(frames.schemas(), id + ".avsc");
    try {
      FileSystem files = file.getFileSystem(hadoop);
      if (!files.exists(new Path(frames.schemas()))) {
        throw RowmarkException.source(
            "The folder of schemas '%s' does not exist. Correct source.confluent.schemas."
                .formatted(frames.schemas()));
      }
      if (!files.exists(file)) {
        return Optional.empty();
      }
      try (InputStream in = files.open(file)) {
        Schema schema = new Schema.Parser().setValidateDefaults(false).parse(in);
        FileValue value = AvroValues.of(schema);
        return Optional.of(new Known(schema, value, wrapped(value)));
      }
    } catch (IOException | AvroRuntimeException e) {
      throw RowmarkException.source(
          "The schema '%s' cannot be read: %s. Correct the file.".formatted(file, e.getMessage()),
          e);
    }
  }

  /** The types of a record that has the value where the bytes were. */
  private StructOf wrapped(FileValue value) {
    StructOf types = value.struct();
    List<String> path = frames.bytes().names();
    for (int i = path.size() - 1; i >= 0; i--) {
      types = new StructOf(List.of(new SourceField(path.get(i), types, Presence.OPTIONAL, null)));
    }
    return types;
  }
}
