package io.rowmark.integration.feeds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One case of the change feeds: a folder with inputs, {@code expected.json} and {@code
 * rowmark.conf}.
 *
 * @param name format and case, as in {@code dms-csv/02-header-op-timestamp}
 */
record Sample(String name, Path folder, JsonNode expected) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path DATA = Path.of("data", "cdc-samples");

  static List<Sample> all() throws IOException {
    List<Sample> samples = new ArrayList<>();
    try (Stream<Path> files = Files.walk(DATA, 3)) {
      for (Path file : files.filter(path -> path.endsWith("expected.json")).sorted().toList()) {
        Path folder = file.getParent();
        samples.add(
            new Sample(DATA.relativize(folder).toString(), folder, JSON.readTree(file.toFile())));
      }
    }
    return samples;
  }

  /** Why the case cannot be read yet; null if it can. */
  String gap() {
    Path gap = folder.resolve("gap.txt");
    try {
      return Files.exists(gap) ? Files.readString(gap).strip() : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What Rowmark does otherwise on purpose, and why; null for nothing. */
  JsonNode differences() {
    Path file = folder.resolve("differences.json");
    try {
      return Files.exists(file) ? JSON.readTree(file.toFile()) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode expected(String member) {
    JsonNode differences = differences();
    return differences != null && differences.has(member)
        ? differences.get(member)
        : expected.get(member);
  }

  String settings() throws IOException {
    return Files.readString(folder.resolve("rowmark.conf"));
  }

  /** Columns of the table before the run, as names of Iceberg types. */
  Map<String, String> columns() {
    return types("columns");
  }

  /** Columns of the table after the run. */
  Map<String, String> columnsAfter() {
    return expected.get("target").has("columnsAfter") ? types("columnsAfter") : columns();
  }

  private Map<String, String> types(String member) {
    Map<String, String> types = new LinkedHashMap<>();
    expected
        .get("target")
        .get(member)
        .properties()
        .forEach(entry -> types.put(entry.getKey(), entry.getValue().asText()));
    return types;
  }

  List<String> key() {
    List<String> key = new ArrayList<>();
    expected.get("target").get("key").forEach(name -> key.add(name.asText()));
    return key;
  }

  List<JsonNode> before() {
    return rows("before");
  }

  List<JsonNode> rows() {
    return rows("rows");
  }

  private List<JsonNode> rows(String member) {
    List<JsonNode> rows = new ArrayList<>();
    expected(member).forEach(rows::add);
    return rows;
  }

  /** Rejects as {@code line code}, of all files together. */
  List<String> rejects() {
    List<String> rejects = new ArrayList<>();
    expected("deadLetter")
        .forEach(item -> rejects.add(item.get("line").asText() + " " + item.get("code").asText()));
    return rejects;
  }

  /** Skipped records by code. */
  Map<String, Long> skipped() {
    Map<String, Long> skipped = new TreeMap<>();
    expected
        .get("skipped")
        .forEach(item -> skipped.merge(item.get("code").asText(), 1L, Long::sum));
    return skipped;
  }

  @Override
  public String toString() {
    return name;
  }
}
