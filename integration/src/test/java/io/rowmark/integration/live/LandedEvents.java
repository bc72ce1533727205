package io.rowmark.integration.live;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** What lies in a landing folder, read plainly and apart from the main code. */
final class LandedEvents {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path landing;
  private final String prefix;
  private final Map<Path, FileContent> read = new HashMap<>();

  LandedEvents(Path landing, String prefix) {
    this.landing = landing;
    this.prefix = prefix;
  }

  /**
   * What one file holds.
   *
   * @param events how many of each source transaction
   * @param ends events that a transaction has in all tables, of those whose end is told
   * @param endsSnapshot whether the last row of a table's snapshot is in it
   */
  private record FileContent(
      Map<Long, Integer> events, Map<Long, Integer> ends, boolean endsSnapshot) {}

  /**
   * Source transactions in a set of files.
   *
   * @param whole all events are in the files
   * @param torn some are and some are not
   * @param tornWithEnd those of the torn whose end is in the files
   */
  record Transactions(int whole, int torn, int tornWithEnd) {}

  /** The files that are there now. */
  Set<Path> files() {
    try (Stream<Path> topics = Files.list(landing)) {
      Set<Path> found = new TreeSet<>();
      for (Path topic : topics.toList()) {
        try (Stream<Path> files = Files.list(topic)) {
          files.filter(file -> !isHidden(file)).forEach(found::add);
        }
      }
      return found;
    } catch (NoSuchFileException e) {
      return Set.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isHidden(Path file) {
    return file.getFileName().toString().startsWith(".");
  }

  /** Whether the snapshot of some tables, none of them empty, is in files to its last row. */
  boolean hasSnapshotOf(List<String> tables) {
    Set<String> ended = new HashSet<>();
    for (Path file : files()) {
      if (content(file).endsSnapshot()) {
        ended.add(file.getParent().getFileName().toString());
      }
    }
    return ended.containsAll(tables.stream().map(table -> prefix + "." + table).toList());
  }

  /** Whether a text is in the files of a table. */
  boolean has(String table, String text) {
    return files().stream()
        .filter(file -> file.getParent().endsWith(prefix + "." + table))
        .flatMap(file -> lines(file).stream())
        .anyMatch(line -> line.contains(text));
  }

  /**
   * Counts the transactions of some files.
   *
   * @param whole all files in which their ends are looked up
   */
  Transactions in(Set<Path> files, Set<Path> whole) {
    Map<Long, Integer> wanted = new HashMap<>();
    whole.forEach(file -> wanted.putAll(content(file).ends()));
    Map<Long, Integer> found = new HashMap<>();
    Set<Long> ended = new HashSet<>();
    for (Path file : files) {
      content(file).events().forEach((id, count) -> found.merge(id, count, Integer::sum));
      ended.addAll(content(file).ends().keySet());
    }
    int complete = 0;
    int torn = 0;
    int tornWithEnd = 0;
    for (Map.Entry<Long, Integer> transaction : wanted.entrySet()) {
      int here = found.getOrDefault(transaction.getKey(), 0);
      if (here == transaction.getValue()) {
        complete++;
      } else if (here > transaction.getValue()) {
        throw new AssertionError(
            "Transaction %d has %d events and ends after %d"
                .formatted(transaction.getKey(), here, transaction.getValue()));
      } else {
        torn += here > 0 ? 1 : 0;
        tornWithEnd += ended.contains(transaction.getKey()) ? 1 : 0;
      }
    }
    return new Transactions(complete, torn, tornWithEnd);
  }

  private FileContent content(Path file) {
    return read.computeIfAbsent(
        file,
        path -> path.getParent().endsWith(prefix + ".transaction") ? ends(path) : events(path));
  }

  private static FileContent ends(Path file) {
    Map<Long, Integer> ends = new HashMap<>();
    for (String line : lines(file)) {
      Map<String, String> told = told(line, Set.of("status", "id", "event_count"));
      if ("END".equals(told.get("status"))) {
        ends.put(number(told.get("id")), Integer.valueOf(told.get("event_count")));
      }
    }
    return new FileContent(Map.of(), ends, false);
  }

  private static FileContent events(Path file) {
    Map<Long, Integer> events = new HashMap<>();
    boolean endsSnapshot = false;
    for (String line : lines(file)) {
      Map<String, String> told = told(line, Set.of("transaction", "id", "source", "snapshot"));
      if (told.containsKey("id")) {
        events.merge(number(told.get("id")), 1, Integer::sum);
      }
      endsSnapshot |= told.getOrDefault("snapshot", "").matches("last|last_in_data_collection");
    }
    return new FileContent(events, Map.of(), endsSnapshot);
  }

  /** The connector adds the position to the number: {@code 744:39331968}. */
  private static Long number(String id) {
    return Long.valueOf(id.substring(0, id.indexOf(':')));
  }

  /** Some members of an event's payload, and of objects in it if they are named, too. */
  private static Map<String, String> told(String line, Set<String> names) {
    Map<String, String> told = new HashMap<>();
    try (JsonParser parser = JSON.createParser(line)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        members(parser, names, told);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return told;
  }

  private static void members(JsonParser parser, Set<String> names, Map<String, String> told)
      throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.START_OBJECT && (name.equals("payload") || names.contains(name))) {
        members(parser, names, told);
      } else if (value.isStructStart()) {
        parser.skipChildren();
      } else if (value.isScalarValue() && value != JsonToken.VALUE_NULL && names.contains(name)) {
        told.put(name, parser.getText());
      }
    }
  }

  private static List<String> lines(Path file) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
