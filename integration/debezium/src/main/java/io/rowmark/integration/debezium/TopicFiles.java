package io.rowmark.integration.debezium;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The files of one topic, {@code <topic>/<topic>+0+<offset of the first event>.json.gz}, one event a
 * line. A file appears whole: it is written under a hidden name and renamed.
 */
final class TopicFiles {
  private static final int MOST_EVENTS = 20_000;

  private final String topic;
  private final Path folder;
  private final long rhythmNanos;
  private final List<String> events = new ArrayList<>();
  private long landed;
  private long lastFlush = System.nanoTime();

  private TopicFiles(String topic, Path folder, long rhythmMillis, long landed) {
    this.topic = topic;
    this.folder = folder;
    this.rhythmNanos = rhythmMillis * 1_000_000;
    this.landed = landed;
  }

  /** Goes on after the last file that is there. */
  static TopicFiles open(Path root, String topic, long rhythmMillis) {
    Path folder = root.resolve(topic);
    try {
      Files.createDirectories(folder);
      try (Stream<Path> files = Files.list(folder)) {
        Optional<Path> last =
            files
                .filter(file -> !file.getFileName().toString().startsWith("."))
                .max(Comparator.comparingLong(TopicFiles::start));
        long landed = last.isEmpty() ? 0 : start(last.get()) + lines(last.get());
        return new TopicFiles(topic, folder, rhythmMillis, landed);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long start(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(name.lastIndexOf('+') + 1, name.indexOf(".json")));
  }

  private static long lines(Path file) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return reader.lines().count();
    }
  }

  /**
   * Takes an event.
   *
   * @param value null for a tombstone
   * @return its offset
   */
  long add(String value) {
    events.add(value == null ? "null" : value);
    long offset = landed + events.size() - 1;
    if (events.size() >= MOST_EVENTS) {
      flush();
    }
    return offset;
  }

  /** The offset behind the last event that is in a file. */
  long landed() {
    return landed;
  }

  void flushIfDue(long now) {
    if (now - lastFlush >= rhythmNanos) {
      flush();
    }
  }

  void flush() {
    lastFlush = System.nanoTime();
    if (events.isEmpty()) {
      return;
    }
    String name = "%s+0+%010d.json.gz".formatted(topic, landed);
    Path hidden = folder.resolve("." + name);
    try {
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(hidden), 1 << 16)) {
        for (String event : events) {
          out.write(event.getBytes(StandardCharsets.UTF_8));
          out.write('\n');
        }
      }
      Files.move(hidden, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    landed += events.size();
    events.clear();
  }
}
