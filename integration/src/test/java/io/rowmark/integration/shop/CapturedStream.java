package io.rowmark.integration.shop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowmark.integration.engine.ProjectFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The captured change stream, read plainly and apart from the main code. */
final class CapturedStream {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** How the connector wrote the events. */
  enum Form {
    /** No schemas; decimals as bytes in base64. */
    PLAIN("shop-json"),
    /** A schema beside each value; decimals as text. */
    WITH_SCHEMAS("zoo-json-schema");

    private final String folder;

    Form(String folder) {
      this.folder = folder;
    }
  }

  private CapturedStream() {}

  static Path data() {
    return ProjectFolder.home().resolve("integration/data/debezium-postgres");
  }

  /** Puts the topics of some tables of one day where the pipeline looks for them. */
  static void land(Form form, int day, List<String> tables, Path landing) {
    for (Path file : files(form, day, tables)) {
      Path target = landing.resolve(folder(form, day).relativize(file).toString());
      try {
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** What each event of a table holds after the change, for tables without a key. */
  static List<JsonNode> insertsOf(Form form, int days, String table) {
    return events(form, days, table).stream().map(event -> event.get("after")).toList();
  }

  /** The last state of each key, by replaying every event in order into a map. */
  static Map<String, JsonNode> replay(Form form, int days, String table, List<String> key) {
    Map<String, JsonNode> rows = new LinkedHashMap<>();
    for (JsonNode event : events(form, days, table)) {
      switch (event.get("op").asText()) {
        case "t" -> rows.clear();
        case "d" -> rows.remove(keyOf(event.get("before"), key));
        default -> rows.put(keyOf(event.get("after"), key), event.get("after"));
      }
    }
    return rows;
  }

  private static String keyOf(JsonNode row, List<String> key) {
    return String.join("|", key.stream().map(name -> row.get(name).asText()).toList());
  }

  private static List<JsonNode> events(Form form, int days, String table) {
    List<JsonNode> events = new ArrayList<>();
    for (int day = 1; day <= days; day++) {
      for (Path file : files(form, day, List.of(table))) {
        for (String line : lines(file)) {
          JsonNode event = json(line);
          JsonNode payload = event.has("payload") ? event.get("payload") : event;
          if (payload.has("op")) {
            events.add(payload);
          }
        }
      }
    }
    return events;
  }

  static List<String> lines(Path gzip) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(gzip)), StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder(Form form, int day) {
    return data().resolve(day == 1 ? form.folder : form.folder + "-day" + day);
  }

  private static List<Path> files(Form form, int day, List<String> tables) {
    List<Path> found = new ArrayList<>();
    for (String table : tables) {
      Path topic = folder(form, day).resolve("shop.public." + table);
      if (Files.isDirectory(topic)) {
        try (Stream<Path> files = Files.walk(topic)) {
          files.filter(Files::isRegularFile).sorted(Comparator.naturalOrder()).forEach(found::add);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return found;
  }

  private static JsonNode json(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
