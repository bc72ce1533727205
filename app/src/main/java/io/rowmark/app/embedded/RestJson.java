package io.rowmark.app.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.SortOrderParser;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.catalog.TableIdentifierParser;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.rest.requests.CreateNamespaceRequest;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.requests.UpdateNamespacePropertiesRequest;
import org.apache.iceberg.rest.responses.ListNamespacesResponse;
import org.apache.iceberg.rest.responses.ListTablesResponse;
import org.apache.iceberg.rest.responses.UpdateNamespacePropertiesResponse;
import org.jspecify.annotations.Nullable;

/**
 * JSON of the messages for which Iceberg has no parser on text. Their parts (schema, partition
 * spec, sort order, identifier) go through Iceberg's parsers as text. Field names are those of the
 * Iceberg REST catalog specification.
 */
final class RestJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private RestJson() {}

  /** Runs one of Iceberg's parsers; text that is no JSON is the client's fault, not ours. */
  static <T> T parse(String body, Function<String, T> parser) {
    if (body.isBlank()) {
      throw new BadRequestException("The request has no body");
    }
    try {
      return parser.apply(body);
    } catch (UncheckedIOException e) {
      throw new BadRequestException(e, "The body is not JSON: %s", e.getMessage());
    }
  }

  static CreateNamespaceRequest createNamespace(String body) {
    JsonNode json = object(body);
    return CreateNamespaceRequest.builder()
        .withNamespace(namespace(json.path("namespace")))
        .setProperties(strings(json.path("properties"), "properties"))
        .build();
  }

  static UpdateNamespacePropertiesRequest updateNamespace(String body) {
    JsonNode json = object(body);
    return UpdateNamespacePropertiesRequest.builder()
        .removeAll(texts(json.path("removals"), "removals"))
        .updateAll(strings(json.path("updates"), "updates"))
        .build();
  }

  static CreateTableRequest createTable(String body) {
    JsonNode json = object(body);
    Schema schema = SchemaParser.fromJson(require(json, "schema").toString());
    CreateTableRequest.Builder request =
        CreateTableRequest.builder()
            .withName(require(json, "name").asText())
            .withSchema(schema)
            .setProperties(strings(json.path("properties"), "properties"));
    if (json.hasNonNull("location")) {
      request.withLocation(json.get("location").asText());
    }
    if (json.hasNonNull("partition-spec")) {
      request.withPartitionSpec(
          PartitionSpecParser.fromJson(schema, json.get("partition-spec").toString()));
    }
    if (json.hasNonNull("write-order")) {
      request.withWriteOrder(SortOrderParser.fromJson(schema, json.get("write-order").toString()));
    }
    if (json.path("stage-create").asBoolean()) {
      request.stageCreate();
    }
    return request.build();
  }

  static RenameTableRequest renameTable(String body) {
    JsonNode json = object(body);
    return RenameTableRequest.builder()
        .withSource(identifier(require(json, "source")))
        .withDestination(identifier(require(json, "destination")))
        .build();
  }

  static String namespace(Namespace namespace, Map<String, String> properties) {
    ObjectNode json = MAPPER.createObjectNode();
    json.set("namespace", levels(namespace));
    json.set("properties", MAPPER.valueToTree(properties));
    return json.toString();
  }

  static String namespaces(ListNamespacesResponse response) {
    ObjectNode json = page(response.nextPageToken());
    ArrayNode list = json.putArray("namespaces");
    response.namespaces().forEach(namespace -> list.add(levels(namespace)));
    return json.toString();
  }

  static String namespaceUpdate(UpdateNamespacePropertiesResponse response) {
    ObjectNode json = MAPPER.createObjectNode();
    json.set("updated", MAPPER.valueToTree(response.updated()));
    json.set("removed", MAPPER.valueToTree(response.removed()));
    json.set("missing", MAPPER.valueToTree(response.missing()));
    return json.toString();
  }

  static String tables(ListTablesResponse response) {
    ObjectNode json = page(response.nextPageToken());
    ArrayNode list = json.putArray("identifiers");
    response.identifiers().forEach(table -> list.add(object(TableIdentifierParser.toJson(table))));
    return json.toString();
  }

  private static ObjectNode page(@Nullable String nextPageToken) {
    ObjectNode json = MAPPER.createObjectNode();
    if (nextPageToken != null) {
      json.put("next-page-token", nextPageToken);
    }
    return json;
  }

  private static ArrayNode levels(Namespace namespace) {
    return MAPPER.valueToTree(namespace.levels());
  }

  private static JsonNode object(String body) {
    try {
      JsonNode json = MAPPER.readTree(body);
      if (json.isObject()) {
        return json;
      }
    } catch (JsonProcessingException e) {
      throw new BadRequestException(e, "The body is not JSON: %s", e.getOriginalMessage());
    }
    throw new BadRequestException("The body is not a JSON object");
  }

  private static JsonNode require(JsonNode json, String field) {
    if (!json.hasNonNull(field)) {
      throw new BadRequestException("The body lacks the field %s", field);
    }
    return json.get(field);
  }

  private static TableIdentifier identifier(JsonNode json) {
    TableIdentifier table = TableIdentifierParser.fromJson(json.toString());
    RestRequest.requireStorable(table.namespace());
    return table;
  }

  private static Namespace namespace(JsonNode json) {
    return RestRequest.requireStorable(
        Namespace.of(texts(json, "namespace").toArray(String[]::new)));
  }

  private static List<String> texts(JsonNode json, String field) {
    List<String> texts = new ArrayList<>(); // Iceberg asks it for null, which List.of refuses
    for (JsonNode item : json) {
      texts.add(text(item, field));
    }
    return texts;
  }

  private static Map<String, String> strings(JsonNode json, String field) {
    Map<String, String> strings = new HashMap<>();
    json.fields().forEachRemaining(e -> strings.put(e.getKey(), text(e.getValue(), field)));
    return strings;
  }

  private static String text(JsonNode json, String field) {
    if (!json.isTextual()) {
      throw new BadRequestException("The field %s holds something other than strings", field);
    }
    return json.textValue();
  }
}
