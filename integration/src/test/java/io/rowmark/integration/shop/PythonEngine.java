package io.rowmark.integration.shop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Another engine, in a process of its own, that reads tables by their metadata files.
 *
 * @param script in src/test/python
 */
record PythonEngine(String script) {
  static final PythonEngine PYICEBERG = new PythonEngine("read_pyiceberg.py");
  static final PythonEngine DUCKDB = new PythonEngine("read_duckdb.py");

  private static final String INTERPRETER = "ROWMARK_TEST_PYTHON";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** How a run of a script ended. */
  record Ended(int code, String output) {}

  /** Runs a script to its end. */
  static Ended run(String script, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(interpreter().toString()));
    Path module = CapturedStream.home().resolve("integration");
    command.add(module.resolve("src/test/python").resolve(script).toString());
    command.addAll(arguments);
    try {
      Path output = Files.createTempFile("rowmark-python", ".log");
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(5, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError(script + " did not end in 5 minutes");
      }
      return new Ended(process.exitValue(), Files.readString(output));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError("Interrupted", e);
    }
  }

  private static Path interpreter() {
    String named = System.getenv(INTERPRETER);
    Path python =
        named == null
            ? CapturedStream.home().resolve("integration/target/python/bin/python")
            : Path.of(named);
    if (!Files.isExecutable(python)) {
      throw new AssertionError(
          "No Python at %s. Run: python3 -m venv integration/target/python && integration/target/python/bin/pip install -r integration/requirements.txt, or set %s to an interpreter that has these packages."
              .formatted(python, INTERPRETER));
    }
    return python;
  }

  /**
   * Reads tables.
   *
   * @param metadata from the name of a table to its metadata file
   */
  Ended read(Map<String, String> metadata, Path folder) {
    List<String> arguments = new ArrayList<>();
    metadata.forEach(
        (table, location) ->
            arguments.addAll(List.of(location, folder.resolve(table + ".jsonl").toString())));
    return run(script, arguments);
  }

  /** What {@link #read} found in one table, typed like Iceberg's own reader. */
  TableRows rows(String table, Schema schema, List<String> key, Path folder) {
    try {
      List<String> lines = Files.readAllLines(folder.resolve(table + ".jsonl"));
      JsonNode types = JSON.readTree(lines.get(0)).get("types");
      Map<String, String> expected = new LinkedHashMap<>();
      schema.columns().forEach(column -> expected.put(column.name(), arrowName(column.type())));
      assertThat(JSON.convertValue(types, Map.class))
          .as("types of %s by %s", table, script)
          .isEqualTo(expected);
      List<Map<String, Object>> rows = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        JsonNode json = JSON.readTree(line);
        Map<String, Object> row = new LinkedHashMap<>();
        for (Types.NestedField column : schema.columns()) {
          row.put(column.name(), value(json.get(column.name()), column.type()));
        }
        rows.add(row);
      }
      return TableRows.of(table, key, rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String arrowName(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> "bool";
      case INTEGER -> "int32";
      case LONG -> "int64";
      case DECIMAL -> type.toString().replace("decimal", "decimal128");
      case DATE -> "date32[day]";
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC() ? "timestamptz[us]" : "timestamp[us]";
      case LIST -> "list<%s>".formatted(arrowName(type.asListType().elementType()));
      default -> type.toString();
    };
  }

  private static Object value(JsonNode json, Type type) {
    if (json.isNull()) {
      return null;
    }
    return switch (type.typeId()) {
      case BOOLEAN -> json.booleanValue();
      case INTEGER -> json.intValue();
      case LONG -> json.longValue();
      case FLOAT -> Float.intBitsToFloat(Integer.parseUnsignedInt(json.textValue(), 16));
      case DOUBLE -> Double.longBitsToDouble(Long.parseUnsignedLong(json.textValue(), 16));
      case DECIMAL -> new BigDecimal(json.textValue());
      case DATE -> LocalDate.ofEpochDay(json.intValue());
      case TIMESTAMP -> timestamp(json.longValue(), (Types.TimestampType) type);
      case BINARY -> ByteBuffer.wrap(HexFormat.of().parseHex(json.textValue()));
      case STRING -> json.textValue();
      case LIST -> {
        List<Object> items = new ArrayList<>();
        json.forEach(item -> items.add(value(item, type.asListType().elementType())));
        yield items;
      }
      default -> throw new IllegalStateException("No mapping for " + type);
    };
  }

  private static Object timestamp(long micros, Types.TimestampType type) {
    Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    return type.shouldAdjustToUTC()
        ? instant.atOffset(ZoneOffset.UTC)
        : LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
