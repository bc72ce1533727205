package io.rowmark.merge.kept;

import static io.rowmark.merge.kept.KeptRun.LEFT_OUT;
import static io.rowmark.merge.kept.KeptRun.delete;
import static io.rowmark.merge.kept.KeptRun.event;
import static io.rowmark.merge.kept.KeptRun.image;
import static io.rowmark.merge.kept.KeptRun.put;
import static io.rowmark.merge.kept.KeptRun.time;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.kept.KeptRun.Shape;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.KeptRows.Images;
import io.rowmark.merge.spec.TableSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables whose deleted rows stay, with a flag. */
class TestSoftDeletes {
  private static final long SEED = 20261130;
  private static final String ROWS =
      "SELECT id, v, big, is_deleted, unix_millis(deleted_at) FROM $t";

  @TempDir Path folder;

  private static Shape shape(int formatVersion, Images images) {
    return Shape.of(
        formatVersion,
        TableSpec.Mode.KEYED,
        new KeptRows.Deleted("is_deleted", "deleted_at", images));
  }

  private static String row(long id, String v, String big, Long deletedAt) {
    return "[%d,%s,%s,%s,%s]"
        .formatted(
            id,
            v,
            big,
            deletedAt != null,
            deletedAt == null ? null : time(deletedAt).toEpochMilli());
  }

  /** One change of the source, and what its delete event says of the row. */
  private record Event(long order, long id, String v, String big, Images images) {
    boolean isDelete() {
      return v == null;
    }

    String text(Row before) {
      if (!isDelete()) {
        return put("u", order, id, v, big);
      }
      return images == Images.KEY || before == null
          ? delete(order, id)
          : event("d", order, order, null, image(id, before.v, before.big));
    }
  }

  private record Row(String v, String big, Long deletedAt) {}

  /** A plain map that replays the same batches. */
  private static final class Oracle {
    final Map<Long, Row> rows = new TreeMap<>();
    final Map<Long, Long> applied = new TreeMap<>();

    void replay(List<Event> batch) {
      List<Event> sorted = new ArrayList<>(batch);
      sorted.sort(Comparator.comparingLong(Event::order));
      for (Event event : sorted) {
        if (event.order() <= applied.getOrDefault(event.id(), 0L)) {
          continue;
        }
        applied.put(event.id(), event.order());
        Row before = rows.get(event.id());
        if (!event.isDelete()) {
          String big = event.big().equals(LEFT_OUT) ? before.big() : event.big();
          rows.put(event.id(), new Row(event.v(), big, null));
        } else if (before != null) {
          rows.put(event.id(), new Row(before.v(), before.big(), event.order()));
        }
      }
    }

    List<String> text() {
      return rows.entrySet().stream()
          .map(e -> row(e.getKey(), e.getValue().v, e.getValue().big, e.getValue().deletedAt))
          .sorted()
          .toList();
    }
  }

  /** Keys up to 5 are known from the first batch on, so that their updates may leave values out. */
  private static List<Event> events(Random random, int batch, Images images) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      long order = 1000L * batch + 100 + i;
      long id = random.nextInt(14);
      boolean first = batch == 0 && i < 6;
      if (!first && random.nextInt(3) == 0) {
        events.add(new Event(order, id, null, null, images));
      } else {
        boolean gap = batch > 0 && id < 6 && random.nextInt(3) == 0;
        events.add(
            new Event(order, first ? i : id, "v" + order, gap ? LEFT_OUT : "b" + order, images));
      }
    }
    return events;
  }

  @Tag("long")
  @Test
  void soTheyDoInTheOlderFormatOnTheDriver() {
    randomHistoriesEndInTheRowsOfAPlainMap(2, false);
  }

  @ParameterizedTest
  @CsvSource("3, true")
  void randomHistoriesEndInTheRowsOfAPlainMap(int formatVersion, boolean spark) {
    Shape shape = shape(formatVersion, Images.KEY);
    KeptRun run = new KeptRun(folder, spark ? shape.inSpark() : shape);
    Oracle oracle = new Oracle();
    Random random = new Random(SEED + formatVersion);
    List<Event> sent = new ArrayList<>();
    for (int batch = 0; batch < 3; batch++) {
      List<Event> events = events(random, batch, Images.KEY);
      // some come late or again: whatever was sent before
      for (int i = 0; i < 6 && !sent.isEmpty(); i++) {
        events.add(sent.get(random.nextInt(sent.size())));
      }
      Collections.shuffle(events, random);
      sent.addAll(events);
      oracle.replay(events);
      run.ingest(events.stream().map(event -> event.text(null)).toList());
      assertThat(run.rows(ROWS)).as("seed %d, batch %d", SEED, batch).isEqualTo(oracle.text());
      run.checkIndex();
    }
    assertThat(oracle.rows.values()).anyMatch(row -> row.deletedAt() != null);
  }

  @Tag("long")
  @Test
  void soItDoesInTheOlderFormat() {
    theDriverComesToTheSameAsSparkWithWholeImages(2);
  }

  /** Whole images leave the work to the driver; it must come to what Spark makes of it. */
  @ParameterizedTest
  @ValueSource(ints = 3)
  void theDriverComesToTheSameAsSparkWithWholeImages(int formatVersion) {
    Shape shape = shape(formatVersion, Images.WHOLE);
    KeptRun driver = new KeptRun(folder.resolve("driver"), shape);
    KeptRun inSpark = new KeptRun(folder.resolve("spark"), shape.inSpark());
    Random random = new Random(SEED);
    List<String> sent = new ArrayList<>();
    Oracle oracle = new Oracle();
    for (int batch = 0; batch < 3; batch++) {
      List<Event> events = new ArrayList<>();
      List<String> lines = new ArrayList<>();
      for (Event event : events(random, batch, Images.WHOLE)) {
        Event full =
            LEFT_OUT.equals(event.big())
                ? new Event(event.order(), event.id(), event.v(), "b", Images.WHOLE)
                : event;
        Row before = oracle.rows.get(full.id());
        boolean known = !full.isDelete() || before != null;
        if (known) {
          events.add(full);
          lines.add(full.text(before));
          oracle.replay(List.of(full));
        }
      }
      for (int i = 0; i < 6 && !sent.isEmpty(); i++) {
        lines.add(sent.get(random.nextInt(sent.size())));
      }
      sent.addAll(lines);
      Collections.shuffle(lines, random);
      Map<String, Long> counts = driver.ingest(lines).tables().get(0).counts();
      if (batch > 0) {
        assertThat(counts.get("deletes")).as("seed %d, batch %d", SEED, batch).isPositive();
      }
      Map<String, Long> inSparkCounts = inSpark.ingest(lines).tables().get(0).counts();
      for (String count : List.of("inserts", "updates", "deletes", "stale-changes")) {
        assertThat(counts.get(count)).as(count).isEqualTo(inSparkCounts.get(count));
      }
      assertThat(driver.rows(ROWS)).isEqualTo(oracle.text()).isEqualTo(inSpark.rows(ROWS));
      String entries = "SELECT id, position, row_id, hex(change_order) FROM $i";
      assertThat(driver.rows(entries)).isEqualTo(inSpark.rows(entries));
      driver.checkIndex();
      inSpark.checkIndex();
    }
  }

  @Test
  void aDeletedRowKeepsItsValuesAndItsIdAndComesBack() {
    KeptRun run = new KeptRun(folder, shape(3, Images.KEY));
    run.ingest(put("c", 1, 7, "first", "old"), put("c", 2, 8, "other", "apart"));
    List<String> ids = run.rows("SELECT _row_id FROM $t WHERE id = 7");
    run.ingest(delete(3, 7));
    assertThat(run.rows(ROWS))
        .containsExactly(row(7, "first", "old", 3L), row(8, "other", "apart", null));
    assertThat(run.rows("SELECT _row_id FROM $t WHERE id = 7")).isEqualTo(ids);
    // late: between the insert and the delete
    run.ingest(put("u", 2, 7, "late", "late"));
    assertThat(run.rows(ROWS)).contains(row(7, "first", "old", 3L));
    run.ingest(put("u", 4, 7, "back", LEFT_OUT));
    assertThat(run.rows(ROWS))
        .containsExactly(row(7, "back", "old", null), row(8, "other", "apart", null));
    run.checkIndex();
  }

  @Test
  void theDeleteOfAnUnknownKeyStoresNothingAndLateEventsOfItLose() {
    KeptRun run = new KeptRun(folder, shape(3, Images.KEY));
    run.ingest(put("c", 1, 8, "other", "apart"), delete(5, 7));
    assertThat(run.rows(ROWS)).containsExactly(row(8, "other", "apart", null));
    run.ingest(put("c", 4, 7, "late", "late"));
    assertThat(run.rows(ROWS)).containsExactly(row(8, "other", "apart", null));
    run.ingest(put("c", 6, 7, "new", "new"));
    assertThat(run.rows(ROWS))
        .containsExactly(row(7, "new", "new", null), row(8, "other", "apart", null));
    run.checkIndex();
  }

  @Test
  void withWholeImagesTheDeleteOfAnUnknownKeyStoresItsRow() {
    KeptRun run = new KeptRun(folder, shape(3, Images.WHOLE));
    run.ingest(put("c", 1, 8, "other", "apart"));
    String unknown = event("d", 5, 5, null, image(7, "last", "words"));
    run.ingest(unknown);
    run.ingest(unknown);
    assertThat(run.rows(ROWS))
        .containsExactly(row(7, "last", "words", 5L), row(8, "other", "apart", null));
    run.checkIndex();
  }

  @Test
  void aChangeOfKeyLeavesTheOldRowFlaggedAndFillsTheNewOne() {
    KeptRun run = new KeptRun(folder, shape(3, Images.KEY));
    run.ingest(put("c", 1, 7, "first", "big"));
    run.ingest(delete(2, 7), put("c", 2, 9, "moved", LEFT_OUT));
    assertThat(run.rows(ROWS))
        .containsExactly(row(7, "first", "big", 2L), row(9, "moved", "big", null));
    run.checkIndex();
  }

  @Test
  void equalityDeletesNeedWholeImages() {
    KeptRows whole = new KeptRows.Deleted("is_deleted", "deleted_at", Images.WHOLE);
    Shape shape = new Shape(2, TableSpec.Mode.KEYED, whole, WantedDeletes.EQUALITY, 1000);
    KeptRun run = new KeptRun(folder, shape);
    run.ingest(put("c", 1, 7, "first", "old"), put("c", 2, 8, "other", "apart"));
    run.ingest(event("d", 3, 3, null, image(7, "first", "old")));
    assertThat(run.rows(ROWS))
        .containsExactly(row(7, "first", "old", 3L), row(8, "other", "apart", null));
    KeptRows keys = new KeptRows.Deleted("is_deleted", "deleted_at", Images.KEY);
    KeptRun wrong = run.as(new Shape(2, TableSpec.Mode.KEYED, keys, WantedDeletes.EQUALITY, 1000));
    assertThatThrownBy(() -> wrong.ingest(delete(4, 8)))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.CONFIG))
        .hasMessageContaining("keeps rows that it has to find first")
        .hasMessageContaining("soft-delete.images to whole");
  }

  @Test
  void theFlagComesToATableThatHasRows() {
    KeptRun hard = new KeptRun(folder, Shape.of(3, TableSpec.Mode.KEYED, KeptRows.NONE));
    hard.ingest(put("c", 1, 7, "first", "old"), put("c", 2, 8, "other", "apart"));
    KeptRun soft = hard.as(shape(3, Images.KEY));
    soft.ingest(delete(3, 7));
    assertThat(soft.rows(ROWS))
        .containsExactly(row(7, "first", "old", 3L), row(8, "other", "apart", null));
    soft.checkIndex();
  }

  @Test
  void aTruncateStopsTheBatch() {
    KeptRun run = new KeptRun(folder, shape(3, Images.KEY));
    run.ingest(put("c", 1, 7, "first", "old"));
    assertThatThrownBy(() -> run.ingest(event("t", 2, 2, null, null)))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.SOURCE))
        .hasMessageContaining("holds 1 truncate events")
        .hasMessageContaining("truncate-policy = ignore");
    assertThat(run.rows(ROWS)).containsExactly(row(7, "first", "old", null));
  }

  @Test
  void anEventWithAColumnOfTheFlagsNameIsARejectWithItsReason() {
    KeptRun run = new KeptRun(folder, shape(3, Images.KEY));
    String clash =
        event("c", 1, 1, "{\"id\":7,\"v\":\"x\",\"big\":\"y\",\"is_deleted\":true}", null);
    assertThatThrownBy(() -> run.ingest(put("c", 2, 8, "other", "apart"), clash))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("is_deleted")
        .hasMessageContaining("choose another name");
  }
}
