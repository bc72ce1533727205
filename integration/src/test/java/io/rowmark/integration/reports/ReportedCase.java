package io.rowmark.integration.reports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * One case of {@code integration/data/public-reports}.
 *
 * @param text the case's line of {@code cases.jsonl}
 * @param answer what {@code answers.json} says of it; an empty object for nothing
 */
record ReportedCase(JsonNode text, JsonNode answer) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path DATA = Path.of("data", "public-reports");

  static List<ReportedCase> all() throws IOException {
    JsonNode answers = JSON.readTree(DATA.resolve("answers.json").toFile());
    List<ReportedCase> cases = new ArrayList<>();
    for (String line : Files.readAllLines(DATA.resolve("cases.jsonl"))) {
      JsonNode text = JSON.readTree(line);
      JsonNode answer = answers.get(text.get("id").asText());
      cases.add(new ReportedCase(text, answer == null ? JSON.createObjectNode() : answer));
    }
    return cases;
  }

  static ReportedCase named(String id) throws IOException {
    return all().stream().filter(found -> found.id().equals(id)).findFirst().orElseThrow();
  }

  String id() {
    return text.get("id").asText();
  }

  /** The id as part of a namespace. */
  String name() {
    return id().toLowerCase(java.util.Locale.ROOT).replace('-', '_');
  }

  List<Integer> formatVersions() {
    return items(text.get("format_versions")).stream().map(JsonNode::asInt).sorted().toList();
  }

  List<String> key() {
    return texts(text.get("key_columns"));
  }

  /** The column with the order of changes; the one without meaning for the table is _ord. */
  String order() {
    return text.get("ordering_column").asText();
  }

  List<JsonNode> batches() {
    return items(text.get("batches"));
  }

  /** The case's second answers and ours. */
  boolean isAnsweredOtherwise() {
    return !answer.isEmpty();
  }

  /** Settings that the answer needs. */
  List<String> settings() {
    return answer.has("settings") ? texts(answer.get("settings")) : List.of();
  }

  /**
   * Whether the table holds deletes of another writer, which are converted by a step of its own.
   */
  boolean needsConversion() {
    return answer.has("conversion");
  }

  /** Which batch must be refused, counted from 1; 0 for none. */
  int refused() {
    if (answer.has("refused")) {
      return answer.get("refused").asInt();
    }
    JsonNode error = text.get("expected_error");
    if (error == null) {
      return 0;
    }
    String when = error.get("when").asText();
    return Integer.parseInt(when.replaceFirst(".*?batch (\\d+).*", "$1"));
  }

  /** What the message of the refused batch must name. */
  List<String> mentions() {
    return texts(
        answer.has("mentions")
            ? answer.get("mentions")
            : text.get("expected_error").get("must_mention"));
  }

  /** The rows of the table in the end. */
  List<String> rows() {
    JsonNode rows =
        answer.has("rows")
            ? answer.get("rows")
            : refused() == 0
                ? text.get("expected_rows")
                : text.get("expected_error").get("table_after");
    return items(rows).stream().map(this::row).toList();
  }

  private String row(JsonNode row) {
    return columns().entrySet().stream()
        .map(column -> CaseValues.expected(row.get(column.getKey()), column.getValue()))
        .collect(Collectors.joining(" | "));
  }

  /** Columns of the table with their types. */
  Map<String, Type> columns() {
    Map<String, Type> columns = new java.util.LinkedHashMap<>();
    items(text.get("schema"))
        .forEach(
            column ->
                columns.put(
                    column.get("name").asText(), CaseValues.type(column.get("type").asText())));
    return columns;
  }

  Schema schema() {
    List<JsonNode> columns = items(text.get("schema"));
    List<Types.NestedField> fields =
        IntStream.range(0, columns.size()).mapToObj(i -> field(i + 1, columns.get(i))).toList();
    java.util.Set<Integer> identifiers =
        fields.stream()
            .filter(field -> key().contains(field.name()))
            .map(Types.NestedField::fieldId)
            .collect(Collectors.toSet());
    boolean canIdentify =
        fields.stream()
            .filter(field -> key().contains(field.name()))
            .allMatch(field -> field.isRequired() && field.type().typeId() != Type.TypeID.DOUBLE);
    return canIdentify ? new Schema(fields, identifiers) : new Schema(fields);
  }

  private static Types.NestedField field(int id, JsonNode column) {
    Type type = CaseValues.type(column.get("type").asText());
    String name = column.get("name").asText();
    return column.get("required").asBoolean()
        ? Types.NestedField.required(id, name, type)
        : Types.NestedField.optional(id, name, type);
  }

  PartitionSpec partitions(Schema schema) {
    PartitionSpec.Builder spec = PartitionSpec.builderFor(schema);
    for (String transform : texts(text.get("partition"))) {
      if (transform.startsWith("day(")) {
        spec.day(transform.substring(4, transform.length() - 1));
      } else if (transform.startsWith("bucket(")) {
        String[] arguments = transform.substring(7, transform.length() - 1).split(", ");
        spec.bucket(arguments[1], Integer.parseInt(arguments[0]));
      } else {
        spec.identity(transform);
      }
    }
    return spec.build();
  }

  /** The same case with other rows in a batch, counted from 1. */
  ReportedCase with(int batch, List<String> rows) throws IOException {
    ObjectNode copy = text.deepCopy();
    ObjectNode changed = (ObjectNode) copy.get("batches").get(batch - 1);
    changed.set("rows", JSON.readTree(rows.toString()));
    return new ReportedCase(copy, answer);
  }

  static List<JsonNode> items(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).toList();
  }

  static List<String> texts(JsonNode list) {
    return items(list).stream().map(JsonNode::asText).toList();
  }

  @Override
  public String toString() {
    return id() + " " + text.get("title").asText();
  }
}
