package io.rowmark.merge.normalize;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.change.SourceOrder;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.ConnectSchema;
import io.rowmark.formats.type.SourceType.SourceField;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads Debezium's change envelope in JSON, with the value schema beside it ({@code {"schema":…,
 * "payload":…}}) or without; each record is looked at by itself, mixed files exist. One reader per
 * task: schemas are kept by their text, since every record of a file repeats them.
 */
final class DebeziumEnvelope {
  private static final Map<String, ChangeOp> OPS =
      Map.of(
          "r", ChangeOp.SNAPSHOT_READ,
          "c", ChangeOp.INSERT,
          "u", ChangeOp.UPDATE,
          "d", ChangeOp.DELETE,
          "t", ChangeOp.TRUNCATE);

  private final Map<String, List<SourceField>> schemas = new HashMap<>();

  /** Reads one line. */
  Parsed parse(String line) {
    if (line.isBlank()) {
      return new Parsed.Skip("blank");
    }
    try (JsonParser parser = JsonValues.FACTORY.createParser(line)) {
      JsonToken first = parser.nextToken();
      if (first == JsonToken.VALUE_NULL) {
        return new Parsed.Skip("tombstone");
      }
      if (first != JsonToken.START_OBJECT) {
        return new Parsed.Bad("not-an-object", "the record is not a JSON object");
      }
      Map<String, @Nullable Object> fields = new HashMap<>();
      List<SourceField> types = null;
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        if (name.equals("schema") && parser.currentToken() == JsonToken.START_OBJECT) {
          types = schema(parser, line);
        } else if (fields.put(name, JsonValues.read(parser)) != null) {
          return new Parsed.Bad("duplicate-field", "a field is given twice");
        }
      }
      if (parser.nextToken() != null) {
        return new Parsed.Bad("malformed-json", "text follows the JSON object");
      }
      return envelope(fields, types);
    } catch (JsonParseException e) {
      boolean twice = e.getOriginalMessage().startsWith("Duplicate field");
      return new Parsed.Bad(
          twice ? "duplicate-field" : "malformed-json",
          (twice ? "a field is given twice" : "this is no JSON")
              + " at character %d".formatted(e.getLocation().getColumnNr()));
    } catch (IOException e) {
      return new Parsed.Bad("malformed-json", "this is no JSON");
    } catch (RowmarkException e) {
      return new Parsed.Bad("bad-schema", String.valueOf(e.getMessage()));
    }
  }

  /** Skips the schema and finds the row's fields by its text, parsing each text once. */
  private @Nullable List<SourceField> schema(JsonParser parser, String line) throws IOException {
    int start = (int) parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    int end = (int) parser.currentLocation().getCharOffset();
    String text = line.substring(start, end);
    List<SourceField> known = schemas.get(text);
    if (known == null) {
      try (JsonParser nested = JsonValues.FACTORY.createParser(text)) {
        nested.nextToken();
        known = rowFields(JsonValues.read(nested));
      }
      schemas.put(text, known);
    }
    return known.isEmpty() ? null : known;
  }

  private static List<SourceField> rowFields(@Nullable Object schema) {
    if (schema instanceof Map<?, ?> envelope && envelope.get("fields") instanceof List<?> members) {
      for (String image : List.of("after", "before")) {
        for (Object member : members) {
          if (member instanceof Map<?, ?> field && image.equals(field.get("field"))) {
            return ConnectSchema.fields(textKeys(field));
          }
        }
      }
    }
    return List.of();
  }

  private Parsed envelope(Map<String, @Nullable Object> fields, @Nullable List<SourceField> types) {
    if (fields.containsKey("payload") && !fields.containsKey("op")) {
      Object payload = fields.get("payload");
      if (payload == null) {
        return new Parsed.Skip("tombstone");
      }
      if (!(payload instanceof Map<?, ?> inner)) {
        return new Parsed.Bad("unknown-record", "the payload is not an object");
      }
      return event(textKeys(inner), types);
    }
    return event(fields, types);
  }

  private static Parsed event(
      Map<String, @Nullable Object> fields, @Nullable List<SourceField> types) {
    Object code = fields.get("op");
    if (code == null) {
      return control(fields);
    }
    if (code.equals("m")) {
      return new Parsed.Skip("message");
    }
    ChangeOp op = OPS.get(code.toString());
    if (op == null) {
      return new Parsed.Bad("unknown-op", "the op is none of r, c, u, d, t, m");
    }
    Object before = fields.get("before");
    Object after = fields.get("after");
    if ((before != null && !(before instanceof Map))
        || (after != null && !(after instanceof Map))) {
      return new Parsed.Bad("unknown-record", "before or after is not an object");
    }
    boolean put = op != ChangeOp.DELETE && op != ChangeOp.TRUNCATE;
    if (put && after == null) {
      return new Parsed.Bad("after-missing", "an event of op " + code + " has no row after");
    }
    if (op == ChangeOp.DELETE && before == null) {
      return new Parsed.Bad(
          "key-missing",
          "a delete has no row before, so its key is unknown; the source table needs a key or a replica identity");
    }
    return new Parsed.Event(
        op,
        before instanceof Map<?, ?> row ? textKeys(row) : null,
        after instanceof Map<?, ?> row ? textKeys(row) : null,
        types,
        order(op, fields));
  }

  private static byte @Nullable [] order(ChangeOp op, Map<String, @Nullable Object> fields) {
    if (!(fields.get("source") instanceof Map<?, ?> source)) {
      return null;
    }
    Object snapshot = source.get("snapshot");
    boolean read =
        op == ChangeOp.SNAPSHOT_READ || (snapshot != null && !snapshot.toString().equals("false"));
    return SourceOrder.of(
        read ? ChangeOrder.SNAPSHOT_EPOCH : ChangeOrder.STREAM_EPOCH,
        textKeys(source),
        fields.get("transaction") instanceof Map<?, ?> transaction ? textKeys(transaction) : null);
  }

  private static Parsed control(Map<String, @Nullable Object> fields) {
    if (fields.containsKey("status") && fields.containsKey("id")) {
      return new Parsed.Skip("transaction-boundary");
    }
    if (fields.containsKey("ddl") || fields.containsKey("tableChanges")) {
      return new Parsed.Skip("schema-change");
    }
    if (fields.keySet().equals(java.util.Set.of("ts_ms"))) {
      return new Parsed.Skip("heartbeat");
    }
    return new Parsed.Bad(
        "unknown-record", "the record has no op and is no known control record of Debezium");
  }

  @SuppressWarnings("unchecked") // JsonValues makes text keys only
  private static Map<String, @Nullable Object> textKeys(Map<?, ?> map) {
    return (Map<String, @Nullable Object>) map;
  }
}
