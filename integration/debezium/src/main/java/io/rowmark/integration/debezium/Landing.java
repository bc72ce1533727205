package io.rowmark.integration.debezium;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The landing folder of all topics. Each topic's files come in a rhythm of its own, so that the
 * changes of a source transaction arrive at different times. An offset is kept only when every event
 * up to it is in a file.
 */
final class Landing implements DebeziumEngine.ChangeConsumer<ChangeEvent<String, String>> {
  /** Milliseconds between two files of a topic; topics take them in the order they come up. */
  private static final List<Long> RHYTHMS = List.of(600L, 1700L, 900L, 2600L, 1300L, 400L, 2100L);

  private static final long TICK_MILLIS = 50;

  /** To keep an offset takes far longer than to take an event. */
  private static final long NANOS_BETWEEN_OFFSETS = 1_000_000_000L;

  private final Path root;
  private final Map<String, TopicFiles> topics = new LinkedHashMap<>();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private RecordCommitter<ChangeEvent<String, String>> committer;
  private long offsetsKept = System.nanoTime();
  private boolean finished;

  /** An event whose offset is not kept yet. */
  private record Waiting(ChangeEvent<String, String> event, TopicFiles topic, long offset) {}

  Landing(Path root) {
    this.root = root;
  }

  @Override
  public synchronized void handleBatch(
      List<ChangeEvent<String, String>> events,
      RecordCommitter<ChangeEvent<String, String>> recordCommitter)
      throws InterruptedException {
    if (finished) {
      // comes again after the next start
      return;
    }
    committer = recordCommitter;
    for (ChangeEvent<String, String> event : events) {
      TopicFiles topic = topics.computeIfAbsent(event.destination(), this::open);
      waiting.add(new Waiting(event, topic, topic.add(event.value())));
    }
    if (System.nanoTime() - offsetsKept > NANOS_BETWEEN_OFFSETS) {
      keepOffsets();
    }
  }

  private TopicFiles open(String topic) {
    return TopicFiles.open(root, topic, RHYTHMS.get(topics.size() % RHYTHMS.size()));
  }

  /** Writes each topic's file when it is due, for ever. */
  void flushInRhythm() {
    try {
      while (true) {
        Thread.sleep(TICK_MILLIS);
        synchronized (this) {
          topics.values().forEach(topic -> topic.flushIfDue(System.nanoTime()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(2);
    }
  }

  /** Writes everything received; what comes later is left for the next start. */
  synchronized void finish() {
    finished = true;
    topics.values().forEach(TopicFiles::flush);
    try {
      keepOffsets();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void keepOffsets() throws InterruptedException {
    boolean any = false;
    while (!waiting.isEmpty() && waiting.peek().offset() < waiting.peek().topic().landed()) {
      committer.markProcessed(waiting.remove().event());
      any = true;
    }
    if (any) {
      committer.markBatchFinished();
    }
    offsetsKept = System.nanoTime();
  }
}
