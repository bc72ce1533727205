package io.rowmark.merge.kept;

import static io.rowmark.merge.kept.KeptRun.LEFT_OUT;
import static io.rowmark.merge.kept.KeptRun.event;
import static io.rowmark.merge.kept.KeptRun.image;
import static io.rowmark.merge.kept.KeptRun.time;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.merge.kept.KeptRun.Shape;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.TableSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.spark.actions.SparkActions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that hold every version of a row. */
class TestHistoryTables {
  private static final long SEED = 20261130;
  private static final String ROWS =
      "SELECT id, v, big, unix_millis(valid_from), unix_millis(valid_to), is_current FROM $t";
  private static final VersionColumns NAMES =
      new VersionColumns("valid_from", "valid_to", "is_current");

  @TempDir Path folder;

  private static Shape shape(int formatVersion) {
    return Shape.of(formatVersion, TableSpec.Mode.HISTORY, new KeptRows.Versions(NAMES, null));
  }

  /** A change of the source; {@code v} is null for a delete. */
  private record Event(long order, long second, long id, String v, String big) {
    String text() {
      return v == null
          ? event("d", order, second, null, image(id, null, null))
          : event("u", order, second, image(id, v, big), null);
    }
  }

  private static Event put(long order, long id, String v, String big) {
    return new Event(order, order, id, v, big);
  }

  private static Event delete(long order, long id) {
    return new Event(order, order, id, null, null);
  }

  private static String row(long id, String v, String big, long from, Long to) {
    return "[%d,%s,%s,%d,%s,%s]"
        .formatted(
            id,
            v,
            big,
            time(from).toEpochMilli(),
            to == null ? null : time(to).toEpochMilli(),
            to == null);
  }

  private record Version(String v, String big, long from, Long to) {}

  /** A list of versions for each key; replays the same batches. */
  private static final class Oracle {
    final Map<Long, List<Version>> versions = new TreeMap<>();
    final Map<Long, Long> applied = new TreeMap<>();
    final Map<Long, Long> last = new TreeMap<>();
    int late;

    void replay(List<Event> batch) {
      Map<Long, Long> before = new TreeMap<>(applied);
      Set<Event> once = new LinkedHashSet<>(batch);
      late += batch.size() - once.size();
      List<Event> sorted = new ArrayList<>(once);
      sorted.sort(Comparator.comparingLong(Event::order));
      for (Event event : sorted) {
        if (event.order() <= before.getOrDefault(event.id(), 0L)) {
          late++;
        } else {
          applied.put(event.id(), event.order());
          take(event, versions.computeIfAbsent(event.id(), id -> new ArrayList<>()));
        }
      }
    }

    private void take(Event event, List<Version> all) {
      long at = Math.max(event.second(), last.getOrDefault(event.id(), 0L));
      last.put(event.id(), at);
      Version open = all.isEmpty() ? null : all.get(all.size() - 1);
      open = open == null || open.to() != null ? null : open;
      if (open != null) {
        all.remove(all.size() - 1);
        if (open.from() < at) {
          all.add(new Version(open.v(), open.big(), open.from(), at));
        }
      }
      if (event.v() != null) {
        String big = event.big().equals(LEFT_OUT) ? open.big() : event.big();
        all.add(new Version(event.v(), big, at, null));
      }
    }

    List<String> text() {
      List<String> text = new ArrayList<>();
      versions.forEach(
          (id, all) -> all.forEach(v -> text.add(row(id, v.v(), v.big(), v.from(), v.to()))));
      return text.stream().sorted().toList();
    }
  }

  /** What the source does; only rows that it has at the time are updated with values left out. */
  private static List<Event> events(Random random, int batch, Set<Long> live) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 45; i++) {
      long order = 1000L * batch + 100 + i;
      // clocks repeat and go backwards
      long second = random.nextInt(6) == 0 ? order - random.nextInt(40) : order - order % 3;
      long id = random.nextInt(12);
      if (random.nextInt(4) == 0) {
        events.add(new Event(order, second, id, null, null));
        live.remove(id);
      } else {
        boolean gap = id < 6 && live.contains(id) && random.nextInt(3) == 0;
        events.add(new Event(order, second, id, "v" + order, gap ? LEFT_OUT : "b" + order));
        live.add(id);
      }
    }
    return events;
  }

  @Tag("long")
  @Test
  void soTheyDoInTheOlderFormat() {
    randomHistoriesEndInTheVersionsOfAPlainList(2);
  }

  @ParameterizedTest
  @ValueSource(ints = 3)
  void randomHistoriesEndInTheVersionsOfAPlainList(int formatVersion) {
    KeptRun run = new KeptRun(folder, shape(formatVersion));
    Oracle oracle = new Oracle();
    Random random = new Random(SEED + formatVersion);
    Set<Long> live = new LinkedHashSet<>();
    List<Event> sent = new ArrayList<>();
    List<Event> heldBack = new ArrayList<>();
    for (int batch = 0; batch < 3; batch++) {
      List<Event> events = new ArrayList<>(heldBack);
      heldBack.clear();
      for (Event event : events(random, batch, live)) {
        // of some keys, events come a batch late
        boolean late = event.id() >= 6 && random.nextInt(8) == 0;
        (late ? heldBack : events).add(event);
      }
      for (int i = 0; i < 8 && !sent.isEmpty(); i++) {
        events.add(sent.get(random.nextInt(sent.size())));
      }
      events.add(events.get(random.nextInt(events.size())));
      Collections.shuffle(events, random);
      sent.addAll(events);
      int lateBefore = oracle.late;
      oracle.replay(events);
      Map<String, Long> counts =
          run.ingest(events.stream().map(Event::text).toList()).tables().get(0).counts();
      assertThat(run.rows(ROWS)).as("seed %d, batch %d", SEED, batch).isEqualTo(oracle.text());
      assertThat(counts.get("stale-changes"))
          .as("late and repeated, batch %d", batch)
          .isEqualTo(oracle.late - lateBefore);
      run.checkIndex();
    }
    assertThat(oracle.versions.values()).anyMatch(versions -> versions.size() > 4);
  }

  @Test
  void itDoesNotMatterHowChangesAreSpreadOverBatches() {
    KeptRun whole = new KeptRun(folder.resolve("whole"), shape(3));
    KeptRun cut = new KeptRun(folder.resolve("cut"), shape(3));
    Random random = new Random(SEED);
    Set<Long> live = new LinkedHashSet<>();
    List<String> all = new ArrayList<>();
    for (int batch = 0; batch < 3; batch++) {
      List<String> lines = events(random, batch, live).stream().map(Event::text).toList();
      all.addAll(lines);
      cut.ingest(lines);
    }
    whole.ingest(all);
    assertThat(cut.rows(ROWS)).as("seed %d", SEED).isEqualTo(whole.rows(ROWS));
    String current = "SELECT id, hex(change_order) FROM $i";
    assertThat(cut.rows(current)).isEqualTo(whole.rows(current));
  }

  private static void ingest(KeptRun run, Event... events) {
    run.ingest(List.of(events).stream().map(Event::text).toList());
  }

  @Test
  void aVersionEndsWhereTheNextBeginsAndKeepsItsRowId() {
    KeptRun run = new KeptRun(folder, shape(3));
    ingest(run, put(1, 7, "first", "a"), put(2, 8, "other", "b"));
    List<String> id = run.rows("SELECT _row_id FROM $t WHERE v = 'first'");
    ingest(run, put(3, 7, "second", LEFT_OUT), put(5, 7, "third", "c"));
    assertThat(run.rows(ROWS))
        .containsExactly(
            row(7, "first", "a", 1, 3L),
            row(7, "second", "a", 3, 5L),
            row(7, "third", "c", 5, null),
            row(8, "other", "b", 2, null));
    assertThat(run.rows("SELECT _row_id FROM $t WHERE v = 'first'")).isEqualTo(id);
    assertThat(run.rows("SELECT DISTINCT _row_id FROM $t")).hasSize(4);
    ingest(run, delete(9, 7));
    ingest(run, put(12, 7, "back", "d"));
    assertThat(run.rows(ROWS)).contains(row(7, "third", "c", 5, 9L), row(7, "back", "d", 12, null));
    assertThat(run.checkIndex().rowsInTable()).isEqualTo(2);
    assertThat(run.table().schema().identifierFieldNames())
        .containsExactlyInAnyOrder("id", "valid_from");
  }

  @Test
  void lateEventsAreLeftOutAndCounted() {
    KeptRun run = new KeptRun(folder, shape(3));
    ingest(run, put(1, 7, "first", "a"), put(5, 7, "second", "b"));
    List<String> before = run.rows(ROWS);
    Map<String, Long> counts =
        run.ingest(put(3, 7, "late", "x").text(), put(5, 7, "second", "b").text())
            .tables()
            .get(0)
            .counts();
    assertThat(counts).containsEntry("stale-changes", 2L).containsEntry("updates", 0L);
    assertThat(run.rows(ROWS)).isEqualTo(before);
    run.checkIndex();
  }

  @Test
  void changesAtOneTimeLeaveOnlyTheLast() {
    KeptRun run = new KeptRun(folder, shape(2));
    ingest(run, new Event(1, 1, 7, "first", "a"), new Event(2, 1, 7, "second", "b"));
    assertThat(run.rows(ROWS)).containsExactly(row(7, "second", "b", 1, null));
    ingest(run, new Event(3, 1, 7, "third", "c"));
    assertThat(run.rows(ROWS)).containsExactly(row(7, "third", "c", 1, null));
    ingest(run, new Event(4, 1, 7, null, null));
    assertThat(run.rows(ROWS)).isEmpty();
    // the clock went back: the new version begins where the last change took effect
    ingest(run, new Event(5, 0, 7, "fourth", "d"));
    assertThat(run.rows(ROWS)).containsExactly(row(7, "fourth", "d", 1, null));
    run.checkIndex();
  }

  @Test
  void aColumnOfTheSourceMaySaySinceWhen() {
    KeptRows.Versions versions = new KeptRows.Versions(new VersionColumns("f", "t", null), "since");
    KeptRun run = new KeptRun(folder, Shape.of(3, TableSpec.Mode.HISTORY, versions));
    String typed =
        """
        {"schema":{"type":"struct","fields":[{"type":"struct","field":"after","optional":true,"fields":[\
        {"type":"int64","optional":false,"field":"id"},{"type":"string","optional":true,"field":"v"},\
        {"type":"int64","optional":true,"field":"since","name":"io.debezium.time.MicroTimestamp"}]}],\
        "optional":false,"name":"x.Envelope"},"payload":%s}""";
    run.ingest(
        typed.formatted(event("c", 1, 50, "{\"id\":7,\"v\":\"first\",\"since\":1000000}", null)),
        typed.formatted(event("u", 2, 60, "{\"id\":7,\"v\":\"second\",\"since\":5000000}", null)));
    String rows = "SELECT v, unix_millis(f), unix_millis(t) FROM $t";
    assertThat(run.rows(rows)).containsExactly("[first,1000,5000]", "[second,5000,null]");
    run.ingest(typed.formatted(event("d", 3, 70, null, "{\"id\":7,\"v\":null,\"since\":null}")));
    assertThat(run.rows(rows))
        .containsExactly(
            "[first,1000,5000]", "[second,5000,%d]".formatted(time(70).toEpochMilli()));
  }

  @Test
  void compactionByOthersRebuildsTheIndexOfCurrentVersionsAndKeepsTheirOrders() {
    KeptRun run = new KeptRun(folder, shape(3));
    List<Event> sent = List.of(put(1, 7, "first", "a"), put(2, 8, "other", "b"), delete(3, 8));
    ingest(run, sent.toArray(Event[]::new));
    ingest(run, put(4, 7, "second", "c"));
    SparkActions.get(LocalSpark.session())
        .rewriteDataFiles(run.table())
        .option("rewrite-all", "true")
        .execute();
    ingest(run, sent.toArray(Event[]::new));
    assertThat(run.rows(ROWS))
        .containsExactly(
            row(7, "first", "a", 1, 4L),
            row(7, "second", "c", 4, null),
            row(8, "other", "b", 2, 3L));
    run.checkIndex();
    assertThat(IndexBuilder.build(LocalSpark.session(), run.names()).rows()).isEqualTo(1);
    ingest(run, put(6, 8, "new", "d"));
    assertThat(run.rows(ROWS)).hasSize(4).contains(row(8, "new", "d", 6, null));
    run.checkIndex();
  }

  @Test
  void aHistoryIsFedAsOneAlone() {
    KeptRun history = new KeptRun(folder.resolve("h"), shape(3));
    ingest(history, put(1, 7, "first", "a"));
    KeptRun keyed = history.as(Shape.of(3, TableSpec.Mode.KEYED, KeptRows.NONE));
    assertThatThrownBy(() -> ingest(keyed, put(2, 7, "second", "b")))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.CONFIG))
        .hasMessageContaining("Table shop.things is a history");
    VersionColumns others = new VersionColumns("since", "valid_to", null);
    KeptRun renamed =
        history.as(Shape.of(3, TableSpec.Mode.HISTORY, new KeptRows.Versions(others, null)));
    assertThatThrownBy(() -> ingest(renamed, put(2, 7, "second", "b")))
        .hasMessageContaining("with the columns valid_from, valid_to, is_current")
        .hasMessageContaining("the configuration says since, valid_to");
    KeptRun rows =
        new KeptRun(folder.resolve("k"), Shape.of(3, TableSpec.Mode.KEYED, KeptRows.NONE));
    ingest(rows, put(1, 7, "first", "a"));
    KeptRun declared = rows.as(shape(3));
    assertThatThrownBy(() -> ingest(declared, put(2, 7, "second", "b")))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.TABLE_STATE))
        .hasMessageContaining("has rows and is no history");
  }

  @Test
  void whatCannotBecomeAVersionStopsTheBatch() {
    KeptRun run = new KeptRun(folder, shape(3));
    ingest(run, put(1, 7, "first", "a"));
    List<String> before = run.rows(ROWS);
    assertThatThrownBy(() -> run.ingest(event("t", 2, 2, null, null)))
        .hasMessageContaining("holds 1 truncate events");
    KeptRun equality =
        run.as(
            new Shape(
                2,
                TableSpec.Mode.HISTORY,
                new KeptRows.Versions(NAMES, null),
                WantedDeletes.EQUALITY,
                1000));
    assertThatThrownBy(() -> ingest(equality, put(3, 7, "second", "b")))
        .isInstanceOf(RowmarkException.class);
    assertThat(run.rows(ROWS)).isEqualTo(before);
    KeptRun other = new KeptRun(folder.resolve("other"), shape(3));
    assertThatThrownBy(
            () -> ingest(other, put(3, 8, "first", "a"), put(4, 7, "without a base", LEFT_OUT)))
        .hasMessageContaining("leaves values out and there is no earlier row");
    assertThatThrownBy(
            () ->
                new KeptRun(folder.resolve("timeless"), shape(3))
                    .ingest(
                        put(3, 8, "first", "a").text(),
                        put(4, 7, "x", "y").text().replace("\"ts_ms\"", "\"other\"")))
        .hasMessageContaining("tells no time");
  }
}
