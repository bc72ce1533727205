package io.rowmark.index.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.index.resolve.RunsFixture.Entry;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class TestPageLookup {
  private static List<Entry> entries(int from, int to) {
    List<Entry> entries = new ArrayList<>();
    for (int i = from; i < to; i++) {
      entries.add(Entry.at("f" + i % 3, i, (Object) (i * 10)));
    }
    return entries;
  }

  private static List<Long> positions(LookupResult result) {
    return result.hits().stream().map(hit -> hit.entry().position()).toList();
  }

  @Test
  void twoLiveEntriesOfOneKeyAreBothGiven() throws IOException {
    RunsFixture index = RunsFixture.create(3, Types.IntegerType.get());
    String first = index.append(entries(0, 100));
    String second = index.append(List.of(Entry.at("g", 7, 50)));
    LookupResult result = index.find(index.keys(List.of(List.of(40), List.of(50))));
    assertThat(result.hits()).extracting(IndexHit::key).containsExactly(0, 1, 1);
    assertThat(result.hits().subList(1, 3))
        .extracting(IndexHit::indexFile)
        .containsExactlyInAnyOrder(first, second);
    String twice = index.append(List.of(Entry.at("g", 1, 2), Entry.at("g", 2, 2)));
    LookupResult inOneFile = index.find(index.keys(List.of(List.of(2))));
    assertThat(inOneFile.hits()).extracting(IndexHit::indexFile).containsExactly(twice, twice);
    assertThat(inOneFile.hits()).extracting(IndexHit::indexPosition).containsExactly(0L, 1L);
  }

  @Test
  void hiddenEntriesAreLeftOut() throws IOException {
    for (int version : new int[] {2, 3}) {
      RunsFixture index = RunsFixture.create(version, Types.IntegerType.get());
      String file = index.append(entries(0, 100));
      index.hide(Map.of(file, new TreeSet<>(List.of(5L, 20L))));
      index.hide(Map.of(file, new TreeSet<>(List.of(6L))));
      SortedKeys keys =
          index.keys(List.of(List.of(40), List.of(50), List.of(60), List.of(200), List.of(210)));
      assertThat(positions(index.find(keys))).as("v%d", version).containsExactly(4L, 21L);
    }
  }

  @Test
  void aFileInNoOrderIsSearchedAllTheSame() throws IOException {
    RunsFixture index =
        RunsFixture.create(3, RunsFixture.smallRowGroups(), Types.IntegerType.get());
    List<Entry> entries = entries(0, 400);
    Collections.shuffle(entries, new Random(5));
    String file = index.append(entries);
    List<List<Integer>> wanted = new ArrayList<>();
    for (int i = 0; i < 400; i += 3) {
      wanted.add(List.of(i * 10));
      wanted.add(List.of(i * 10 + 1));
    }
    LookupResult result = index.find(index.keys(wanted));
    assertThat(result.hits()).hasSize(134);
    for (IndexHit hit : result.hits()) {
      assertThat(hit.indexFile()).isEqualTo(file);
      assertThat(entries.get((int) hit.indexPosition()).position())
          .isEqualTo(hit.entry().position());
    }
  }

  @Test
  void aWidenedKeyIsFoundInOldAndNewFiles() throws IOException {
    List<Type> narrow =
        List.of(Types.IntegerType.get(), Types.DecimalType.of(7, 2), Types.DecimalType.of(16, 2));
    List<Type> wide =
        List.of(Types.LongType.get(), Types.DecimalType.of(17, 2), Types.DecimalType.of(38, 2));
    RunsFixture index = RunsFixture.create(3, narrow.toArray(Type[]::new));
    index.append(List.of(wideEntry(1, -7), wideEntry(2, 3)));
    var update = index.table().updateSchema();
    for (int i = 0; i < wide.size(); i++) {
      update.updateColumn("k" + i, wide.get(i).asPrimitiveType());
    }
    update.commit();
    List<Object> large = List.of(5_000_000_000L, new BigDecimal("123456789012.25"), bigDecimal());
    index.append(List.of(wideEntry(3, 8), new Entry(large, "f", 4L, null, null)));
    KeySpec key = RunsFixture.key(wide.toArray(Type[]::new));
    SortedKeys keys =
        SortedKeys.builder(key)
            .add(wideEntry(0, -7).key())
            .add(wideEntry(0, 3).key())
            .add(wideEntry(0, 8).key())
            .add(large)
            .build();
    LookupResult result =
        PageLookup.of(index.table(), key, ReadRanges.DEFAULT)
            .find(index.files(), keys, Runnable::run);
    assertThat(positions(result)).containsExactly(1L, 2L, 3L, 4L);
  }

  private static Entry wideEntry(long position, int value) {
    BigDecimal decimal = new BigDecimal(value).setScale(2);
    // the fixture's writer takes what the column is at the time
    Object number = position == 3 ? (Object) (long) value : (Object) value;
    return new Entry(List.of(number, decimal, decimal), "f", position, null, null);
  }

  private static BigDecimal bigDecimal() {
    return new BigDecimal("98765432109876543210987654321.50");
  }

  /** Iceberg puts row group bounds together by its signed order: 00…, 10… and f0… become f0… */
  @Test
  void uuidsOfAllRowGroupsAreFound() throws IOException {
    RunsFixture index = RunsFixture.create(3, RunsFixture.smallRowGroups(), Types.UUIDType.get());
    List<Entry> entries = new ArrayList<>();
    List<List<UUID>> wanted = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      UUID id = new UUID((long) i << 54 | 0x4000L, (long) (i * 37 % 256) << 56);
      entries.add(Entry.at("f", i, id));
      wanted.add(List.of(id));
    }
    index.append(entries);
    assertThat(index.files().iterator().next().file().splitOffsets()).hasSizeGreaterThan(2);
    assertThat(index.find(index.keys(wanted)).hits()).hasSize(1024);
    assertThat(index.find(index.keys(wanted.subList(140, 141))).cost().keyPages()).isEqualTo(1);
  }

  @Test
  void textIsFoundBeyondTheBasicPlane() throws IOException {
    RunsFixture index = RunsFixture.create(3, RunsFixture.smallRowGroups(), Types.StringType.get());
    List<List<String>> wanted = new ArrayList<>();
    TreeSet<List<Object>> sorted = new TreeSet<>(index.order());
    for (int i = 0; i < 300; i++) {
      int point = i < 100 ? 'a' + i % 26 : i < 200 ? 0xFF00 + i % 90 : 0x1F600 + i % 64;
      String text = new String(Character.toChars(point)).repeat(1 + i % 90) + i;
      sorted.add(List.of(text));
      wanted.add(List.of(text));
    }
    index.append(sorted.stream().map(key -> new Entry(key, "f", 1L, null, null)).toList());
    assertThat(index.find(index.keys(wanted)).hits()).hasSize(300);
  }

  @Test
  void filesMayBeReadAtTheSameTime() throws IOException {
    RunsFixture index = RunsFixture.create(3, Types.IntegerType.get());
    for (int run = 0; run < 6; run++) {
      index.append(entries(run * 100, run * 100 + 100));
    }
    List<List<Integer>> wanted = new ArrayList<>();
    for (int i = 0; i < 600; i += 7) {
      wanted.add(List.of(i * 10));
    }
    SortedKeys keys = index.keys(wanted);
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      LookupResult result =
          PageLookup.of(index.table(), index.key(), ReadRanges.DEFAULT)
              .find(index.files(), keys, pool);
      assertThat(result).isEqualTo(index.find(keys));
      assertThat(result.hits()).hasSize(86);
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void aKeyColumnOfAnotherTypeIsRefused() throws IOException {
    RunsFixture index = RunsFixture.create(3, Types.IntegerType.get());
    index.append(entries(0, 5));
    KeySpec other = RunsFixture.key(Types.TimestampType.withZone());
    SortedKeys keys = SortedKeys.builder(other).add(List.of(10L)).build();
    assertThatThrownBy(
            () ->
                PageLookup.of(index.table(), other, ReadRanges.DEFAULT)
                    .find(index.files(), keys, Runnable::run))
        .isInstanceOf(RowmarkException.class)
        .hasMessageMatching(
            "Index file '.*' stores the key column 'k0', which is of type timestamptz, as 'required int32 k0 = 1'. Run 'rowmark index build'.");
  }

  @Test
  void aMissingFileIsNamed() throws IOException {
    RunsFixture index = RunsFixture.create(3, Types.IntegerType.get());
    String file = index.append(entries(0, 5));
    var files = index.files();
    index.table().io().deleteFile(file);
    SortedKeys keys = index.keys(List.of(List.of(10)));
    assertThatThrownBy(
            () ->
                PageLookup.of(index.table(), index.key(), ReadRanges.DEFAULT)
                    .find(files, keys, Runnable::run))
        .isInstanceOf(RowmarkException.class)
        .hasMessageStartingWith("Cannot read the index file '" + file + "': ");
  }
}
