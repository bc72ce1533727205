package io.rowmark.integration.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
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
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Another engine, in a process of its own, that reads tables by their metadata files.
 *
 * @param script in src/test/python
 * @param options what the script takes before the tables
 */
public record PythonEngine(String script, List<String> options) {
  public static final PythonEngine PYICEBERG = new PythonEngine("read_pyiceberg.py", List.of());
  public static final PythonEngine DUCKDB = new PythonEngine("read_duckdb.py", List.of());
  public static final PythonEngine CLICKHOUSE = new PythonEngine("read_clickhouse.py", List.of());
  public static final PythonEngine POLARS = new PythonEngine("read_polars.py", List.of("auto"));
  public static final PythonEngine POLARS_NATIVE =
      new PythonEngine("read_polars.py", List.of("native"));
  public static final PythonEngine POLARS_PYICEBERG =
      new PythonEngine("read_polars.py", List.of("pyiceberg"));

  private static final String INTERPRETER = "ROWMARK_TEST_PYTHON";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** How a run of a script ended. */
  public record Ended(int code, String output) {}

  /** Runs a script to its end. */
  public static Ended run(String script, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(interpreter().toString()));
    Path module = ProjectFolder.home().resolve("integration");
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
            ? ProjectFolder.home().resolve("integration/target/python/bin/python")
            : Path.of(named);
    if (!Files.isExecutable(python)) {
      throw new AssertionError(
          "No Python at %s. Run: python3 -m venv integration/target/python && integration/target/python/bin/pip install -r integration/requirements.txt, or set %s to an interpreter that has these packages."
              .formatted(python, INTERPRETER));
    }
    return python;
  }

  /**
   * A table to read.
   *
   * @param metadata where its metadata file is
   */
  public record Source(String metadata, Schema schema) {
    public static Source of(Table table) {
      return new Source(
          ((HasTableOperations) table).operations().current().metadataFileLocation(),
          table.schema());
    }
  }

  /** Reads tables in one process; the answers come in the order and by the names of the tables. */
  public Map<String, Answer> read(Map<String, Source> tables, Path folder) {
    List<String> arguments = new ArrayList<>(options);
    tables.forEach(
        (table, source) ->
            arguments.addAll(List.of(path(source.metadata()), output(folder, table).toString())));
    Ended ended = run(script, arguments);
    assertThat(ended.code()).as(ended.output()).isZero();
    Map<String, Answer> answers = new LinkedHashMap<>();
    tables.forEach(
        (table, source) ->
            answers.put(table, answer(table, source.schema(), output(folder, table))));
    return answers;
  }

  private static Path output(Path folder, String table) {
    return folder.resolve(table + ".jsonl");
  }

  private static String path(String location) {
    return location.startsWith("file:") ? URI.create(location).getPath() : location;
  }

  private Answer answer(String table, Schema schema, Path output) {
    try {
      List<String> lines = Files.readAllLines(output);
      JsonNode head = JSON.readTree(lines.get(0));
      String version = head.get("version").textValue();
      if (head.has("error")) {
        return new Answer.Failed(version, head.get("error").textValue());
      }
      Map<String, String> expected = new LinkedHashMap<>();
      schema.columns().forEach(column -> expected.put(column.name(), arrowName(column.type())));
      Map<String, String> actual = new LinkedHashMap<>();
      head.get("types")
          .fields()
          .forEachRemaining(type -> actual.put(type.getKey(), type.getValue().textValue()));
      assertThat(actual).as("types of %s by %s", table, script).isEqualTo(expected);
      List<Map<String, Object>> rows = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        JsonNode json = JSON.readTree(line);
        Map<String, Object> row = new LinkedHashMap<>();
        for (Types.NestedField column : schema.columns()) {
          row.put(column.name(), value(json.get(column.name()), column.type()));
        }
        rows.add(row);
      }
      return new Answer.Rows(version, rows);
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
