package io.rowmark.merge.record;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.rowmark.merge.record.SourceRecord.Blank;
import io.rowmark.merge.record.SourceRecord.Broken;
import io.rowmark.merge.record.SourceRecord.Fields;
import io.rowmark.merge.record.SourceRecord.Nothing;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Reads records in JSON: objects, one a line or one after another. An object under {@code schema},
 * which Kafka Connect repeats in every record, is parsed once for each text it comes in, and is
 * then the same instance. It is most of such a record, so that a line which begins as one before is
 * parsed from there on only.
 */
public final class JsonRecords {
  private static final String SCHEMA = "schema";
  private final Map<String, Object> schemas = new HashMap<>();

  /** How the last line began that began with its schema, to the schema's end; empty if none did. */
  private String head = "";

  private Object headSchema = Map.of();

  /** Reads one line. */
  public SourceRecord parse(String line) {
    if (line.isBlank()) {
      return new Blank();
    }
    SourceRecord record = head.isEmpty() ? null : behindHead(line);
    return record == null ? whole(line) : record;
  }

  /** Null for a line that begins otherwise, or that something is wrong with. */
  private @Nullable SourceRecord behindHead(String line) {
    int start = head.length();
    if (!line.startsWith(head) || !line.startsWith(",\"", start)) {
      return null;
    }
    char[] rest = new char[line.length() - start];
    line.getChars(start, line.length(), rest, 0);
    rest[0] = '{';
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put(SCHEMA, headSchema);
    try (JsonParser parser = JsonValues.FACTORY.createParser(rest)) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        if (name.equals(SCHEMA)) {
          return null;
        }
        parser.nextToken();
        fields.put(name, JsonValues.read(parser));
      }
      return parser.nextToken() == null ? new Fields(fields, null, null) : null;
    } catch (IOException e) {
      // what is wrong, and where, is told when the whole line is read
      return null;
    }
  }

  private SourceRecord whole(String line) {
    try (JsonParser parser = JsonValues.FACTORY.createParser(line)) {
      JsonToken token = parser.nextToken();
      if (token == JsonToken.VALUE_NULL) {
        return new Nothing();
      }
      if (token != JsonToken.START_OBJECT) {
        return new Broken("not-an-object", "the record is not a JSON object");
      }
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        if (name.equals(SCHEMA) && parser.currentToken() == JsonToken.START_OBJECT) {
          boolean first = fields.isEmpty();
          Object schema = schema(parser, line);
          if (first) {
            head = line.substring(0, (int) parser.currentLocation().getCharOffset());
            headSchema = schema;
          }
          fields.put(name, schema);
        } else {
          fields.put(name, JsonValues.read(parser));
        }
      }
      if (parser.nextToken() != null) {
        return new Broken("malformed-json", "text follows the JSON object");
      }
      return new Fields(fields, null, null);
    } catch (JsonParseException e) {
      boolean twice = e.getOriginalMessage().startsWith("Duplicate field");
      return new Broken(
          twice ? "duplicate-field" : "malformed-json",
          (twice ? "a field is given twice" : "this is no JSON")
              + " at character %d".formatted(e.getLocation().getColumnNr()));
    } catch (IOException e) {
      return new Broken("malformed-json", "this is no JSON");
    }
  }

  /** Skips the schema and finds it by its text, parsing each text once. */
  private Object schema(JsonParser parser, String line) throws IOException {
    int start = (int) parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    int end = (int) parser.currentLocation().getCharOffset();
    String text = line.substring(start, end);
    Object known = schemas.get(text);
    if (known == null) {
      try (JsonParser nested = JsonValues.FACTORY.createParser(text)) {
        nested.nextToken();
        known = java.util.Objects.requireNonNull(JsonValues.read(nested));
      }
      schemas.put(text, known);
    }
    return known;
  }

  RecordReader lines(Slice slice, Configuration hadoop) {
    return new Lines(new SliceLines(slice, hadoop));
  }

  RecordReader documents(Slice slice, InputStream stream) {
    return new Documents(slice, stream);
  }

  private final class Lines implements RecordReader {
    private final SliceLines lines;

    Lines(SliceLines lines) {
      this.lines = lines;
    }

    @Override
    public boolean next() {
      return lines.next();
    }

    @Override
    public SourceRecord record() {
      String line = lines.line();
      return line == null
          ? new Broken("malformed-json", "the record is no UTF-8 text")
          : parse(line);
    }

    @Override
    public long place() {
      return lines.place();
    }

    @Override
    public byte @Nullable [] bytes() {
      return lines.bytes();
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  /**
   * Objects back to back, on many lines, or in a list, as delivery streams write them. Where one
   * ends is known from its text alone, so that text which is no JSON ends the file, and the batch.
   */
  private static final class Documents implements RecordReader {
    private final Slice slice;
    private final JsonParser parser;
    private SourceRecord current = new Nothing();
    private long records;

    Documents(Slice slice, InputStream stream) {
      this.slice = slice;
      try {
        this.parser = JsonValues.FACTORY.createParser(stream);
      } catch (IOException e) {
        throw RecordReaders.unreadable(slice, e);
      }
    }

    @Override
    public boolean next() {
      try {
        JsonToken token = parser.nextToken();
        while (token == JsonToken.START_ARRAY || token == JsonToken.END_ARRAY) {
          token = parser.nextToken();
        }
        if (token == null) {
          return false;
        }
        records++;
        Object value = JsonValues.read(parser);
        current = value == null ? new Nothing() : fields(value);
        return true;
      } catch (JsonParseException e) {
        throw RecordReaders.unreadable(
            slice,
            new IOException(
                "no JSON at line %d, column %d, in record %d"
                    .formatted(
                        e.getLocation().getLineNr(), e.getLocation().getColumnNr(), records + 1)));
      } catch (IOException e) {
        throw RecordReaders.unreadable(slice, e);
      }
    }

    @SuppressWarnings("unchecked") // JsonValues makes text keys only
    private static SourceRecord fields(Object value) {
      return value instanceof Map<?, ?> map
          ? new Fields((Map<String, @Nullable Object>) map, null, null)
          : new Broken("not-an-object", "the record is not a JSON object");
    }

    @Override
    public SourceRecord record() {
      return current;
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
      parser.close();
    }
  }
}
