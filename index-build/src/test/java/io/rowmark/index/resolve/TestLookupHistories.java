package io.rowmark.index.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.key.SortedKeys;
import io.rowmark.index.lookup.IndexEntry;
import io.rowmark.index.resolve.RunsFixture.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Random indexes of many runs, compared with a map after each run. */
class TestLookupHistories {
  private static final List<Type> TYPES =
      List.of(
          Types.BooleanType.get(),
          Types.IntegerType.get(),
          Types.LongType.get(),
          Types.DateType.get(),
          Types.TimeType.get(),
          Types.TimestampType.withoutZone(),
          Types.TimestampType.withZone(),
          Types.StringType.get(),
          Types.UUIDType.get(),
          Types.FixedType.ofLength(5),
          Types.BinaryType.get(),
          Types.DecimalType.of(7, 2),
          Types.DecimalType.of(18, 0),
          Types.DecimalType.of(38, 10));

  private static final List<ReadRanges> RANGES =
      List.of(ReadRanges.DEFAULT, new ReadRanges(512, 0), new ReadRanges(8, 1_000_000));

  static Stream<Arguments> keys() {
    Stream<Arguments> single =
        TYPES.stream().flatMap(type -> Stream.of(2, 3).map(v -> Arguments.of(v, List.of(type))));
    Stream<Arguments> composite =
        IntStream.range(0, 16)
            .mapToObj(
                i -> {
                  Random random = new Random(i);
                  List<Type> types = new ArrayList<>();
                  for (int c = 0; c < 2 + i % 2; c++) {
                    types.add(TYPES.get(random.nextInt(TYPES.size())));
                  }
                  return Arguments.of(2 + i % 2, types);
                });
    Stream<Arguments> nanos =
        Stream.of(
            Arguments.of(3, List.of(Types.TimestampNanoType.withZone())),
            Arguments.of(3, List.of(Types.TimestampNanoType.withoutZone())));
    return Stream.of(single, composite, nanos).flatMap(all -> all);
  }

  /** Where the map says that a live entry is. */
  private record Placed(Entry entry, String file, long row) {}

  @ParameterizedTest(name = "v{0} {1}")
  @MethodSource("keys")
  void everyLookupAgreesWithAMap(int version, List<Type> types) throws IOException {
    long seed = 77 + types.hashCode() % 1000;
    Random random = new Random(seed);
    RunsFixture index =
        RunsFixture.create(
            version,
            random.nextBoolean() ? RunsFixture.smallRowGroups() : Map.of(),
            types.toArray(Type[]::new));
    TreeMap<List<Object>, Placed> model = new TreeMap<>(index.order());
    for (int run = 0; run < 5; run++) {
      apply(index, model, run == 0 ? 600 : random.nextInt(120), random);
      check(index, model, wanted(index, model, random), "run %d, seed %d".formatted(run, seed));
    }
  }

  private static List<Object> anyKey(RunsFixture index, Random random) {
    List<Object> key = new ArrayList<>();
    int width = index.key().columns().size();
    for (int i = 0; i < width; i++) {
      // leading columns of few values make pages in which they are constant
      int spread = i < width - 1 ? 4 : 900;
      key.add(KeyValues.any(index.key().columns().get(i).type(), spread, random));
    }
    return key;
  }

  private static void apply(
      RunsFixture index, TreeMap<List<Object>, Placed> model, int size, Random random)
      throws IOException {
    TreeMap<List<Object>, Entry> run = new TreeMap<>(index.order());
    for (int i = 0; i < size; i++) {
      List<Object> key = anyKey(index, random);
      boolean tombstone = random.nextInt(10) == 0;
      run.put(
          key,
          new Entry(
              key,
              tombstone ? null : "s3://data/file-" + random.nextInt(9) + ".parquet",
              tombstone ? null : (long) random.nextInt(100_000),
              random.nextInt(3) == 0 ? (Long) random.nextLong() : null,
              random.nextBoolean() ? new byte[] {1, (byte) i} : null));
    }
    if (run.isEmpty()) {
      return;
    }
    Map<String, TreeSet<Long>> hidden = new HashMap<>();
    for (List<Object> key : run.keySet()) {
      Placed old = model.get(key);
      if (old != null) {
        hidden.computeIfAbsent(old.file(), f -> new TreeSet<>()).add(old.row());
      }
    }
    if (!hidden.isEmpty()) {
      index.hide(hidden);
    }
    List<Entry> entries = List.copyOf(run.values());
    String file = index.append(entries);
    for (int row = 0; row < entries.size(); row++) {
      model.put(entries.get(row).key(), new Placed(entries.get(row), file, row));
    }
  }

  private static List<List<Object>> wanted(
      RunsFixture index, TreeMap<List<Object>, Placed> model, Random random) {
    List<List<Object>> wanted = new ArrayList<>();
    List<List<Object>> present = new ArrayList<>(model.keySet());
    int share = 1 + random.nextInt(20);
    for (int i = 0; i < present.size(); i++) {
      boolean border = i % RunsFixture.PAGE_ROWS == 0 || i == present.size() - 1;
      if (border || random.nextInt(share) == 0) {
        wanted.add(present.get(i));
      }
    }
    for (int i = 0; i < 30; i++) {
      wanted.add(anyKey(index, random));
    }
    return wanted;
  }

  private static void check(
      RunsFixture index,
      TreeMap<List<Object>, Placed> model,
      List<List<Object>> wanted,
      String where) {
    TreeMap<List<Object>, Placed> expected = new TreeMap<>(index.order());
    TreeSet<List<Object>> distinct = new TreeSet<>(index.order());
    distinct.addAll(wanted);
    distinct.stream().filter(model::containsKey).forEach(key -> expected.put(key, model.get(key)));
    List<List<Object>> ordered = List.copyOf(distinct);
    SortedKeys keys = index.keys(wanted);
    assertThat(keys.size()).as(where).isEqualTo(distinct.size());
    for (ReadRanges ranges : RANGES) {
      List<IndexHit> hits = index.find(keys, ranges).hits();
      assertThat(hits).as(where).hasSize(expected.size());
      for (IndexHit hit : hits) {
        Placed placed = expected.get(ordered.get(hit.key()));
        assertThat(placed).as(where).isNotNull();
        assertThat(hit.indexFile()).as(where).isEqualTo(placed.file());
        assertThat(hit.indexPosition()).as(where).isEqualTo(placed.row());
        assertSame(hit.entry(), placed.entry(), where);
      }
      assertThat(hits.stream().map(IndexHit::key).distinct().count())
          .as(where)
          .isEqualTo(hits.size());
    }
  }

  private static void assertSame(IndexEntry found, Entry written, String where) {
    assertThat(found.dataFile()).as(where).isEqualTo(written.dataFile());
    assertThat(found.position()).as(where).isEqualTo(written.position());
    assertThat(found.rowId()).as(where).isEqualTo(written.rowId());
    assertThat(found.changeOrder()).as(where).isEqualTo(written.order());
  }
}
