package io.rowmark.index.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.resolve.CountingIO.Streams;
import io.rowmark.index.resolve.RunsFixture.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pins what is read, byte for byte. Pages have 100 rows, and the keys are even numbers. */
class TestLookupReads {
  private static final int PAGES = 50;
  private static final int PAGE_ROWS = 100;
  private static final ReadRanges EXACT = new ReadRanges(8 << 10, 0);

  private static RunsFixture index(int version, int runs) throws IOException {
    RunsFixture index =
        RunsFixture.create(
            version, Map.of("write.parquet.page-row-limit", "" + PAGE_ROWS), Types.LongType.get());
    for (int run = 0; run < runs; run++) {
      List<Entry> entries = new ArrayList<>();
      for (int i = 0; i < PAGES * PAGE_ROWS; i++) {
        long number = (long) run * PAGES * PAGE_ROWS + i;
        // places that do not compress, so that pages differ from what is around them
        long position = number * 0x9E3779B97F4A7C15L >>> 1;
        entries.add(Entry.at("f" + i % 7, position, number * 2));
      }
      index.append(entries);
    }
    return index;
  }

  /** A key in the middle of a page; all pages of all runs count through. */
  private static List<List<Long>> inPages(int... pages) {
    return IntStream.of(pages)
        .mapToObj(page -> List.of((long) (page * PAGE_ROWS + 10) * 2))
        .toList();
  }

  private static LookupResult find(
      RunsFixture index, CountingIO io, ReadRanges ranges, List<List<Long>> wanted) {
    Table counted = io.counted(index.table());
    LookupResult result =
        PageLookup.of(counted, index.key(), ranges)
            .find(index.files(), index.keys(wanted), Runnable::run);
    assertThat(result.cost().reads().bytes() + deleteBytes(io, index)).isEqualTo(io.bytes());
    return result;
  }

  private static long deleteBytes(CountingIO io, RunsFixture index) {
    List<String> data = index.files().stream().map(LiveFile::path).toList();
    return io.reads().stream()
        .filter(read -> !data.contains(read.file()))
        .mapToLong(CountingIO.Read::length)
        .sum();
  }

  @ParameterizedTest
  @EnumSource(Streams.class)
  void aBatchThatTouchesSomePagesReadsThosePages(Streams streams) throws IOException {
    RunsFixture index = index(3, 1);
    for (int[] pages : new int[][] {{7}, {0, 49}, {3, 4, 5}, {1, 10, 20, 30, 40}}) {
      CountingIO io = new CountingIO(index.table().io(), streams);
      LookupResult result = find(index, io, EXACT, inPages(pages));
      assertThat(result.hits()).hasSize(pages.length);
      assertThat(result.cost().keyPages()).isEqualTo(pages.length);
      assertThat(result.cost().placePages()).isEqualTo(pages.length);
      assertThat(result.cost().rowGroups()).isEqualTo(1);
      assertThat(io.opened()).hasSize(1);
      assertThat(result.cost().reads().count()).isEqualTo(io.reads().size());
    }
  }

  @Test
  void aFileNoLargerThanItsTailIsReadAtOnce() throws IOException {
    RunsFixture index = index(3, 1);
    long size = index.files().iterator().next().file().fileSizeInBytes();
    ReadRanges large = new ReadRanges(1 << 20, 0);
    CountingIO io = new CountingIO(index.table().io(), Streams.RANGED);
    LookupResult result = find(index, io, large, inPages(2, 9, 30));
    assertThat(result.cost())
        .isEqualTo(
            new LookupCost(1, 1, 3, 3, new LookupCost.Reads(1, size), new LookupCost.Reads(0, 0)));
  }

  @Test
  void pagesThatLieCloseTogetherAreAskedForAtOnce() throws IOException {
    RunsFixture index = index(3, 1);
    List<List<Long>> wanted = inPages(3, 5, 40);
    CountingIO apart = new CountingIO(index.table().io(), Streams.RANGED);
    LookupResult single = find(index, apart, EXACT, wanted);
    CountingIO together = new CountingIO(index.table().io(), Streams.RANGED);
    LookupResult joined = find(index, together, new ReadRanges(8 << 10, 1000), wanted);
    assertThat(joined.hits()).isEqualTo(single.hits());
    assertThat(joined.cost().keyPages()).isEqualTo(3);
    assertThat(together.reads().size()).isLessThan(apart.reads().size());
    assertThat(together.bytes()).isGreaterThan(apart.bytes());
  }

  @Test
  void keysThatAreNotThereReadNoPlaces() throws IOException {
    RunsFixture index = index(3, 1);
    CountingIO io = new CountingIO(index.table().io(), Streams.RANGED);
    LookupResult result = find(index, io, EXACT, List.of(List.of(1011L), List.of(4051L)));
    assertThat(result.hits()).isEmpty();
    assertThat(result.cost().keyPages()).isEqualTo(2);
    assertThat(result.cost().placePages()).isZero();
  }

  @Test
  void aKeyBetweenTwoPagesReadsNeither() throws IOException {
    RunsFixture index = index(3, 1);
    CountingIO io = new CountingIO(index.table().io(), Streams.RANGED);
    long lastOfPage = (4 * PAGE_ROWS - 1) * 2L;
    LookupResult result = find(index, io, EXACT, List.of(List.of(lastOfPage + 1)));
    assertThat(result.cost().files()).isEqualTo(1);
    assertThat(result.cost().keyPages()).isZero();
    assertThat(result.cost().rowGroups()).isZero();
  }

  @Test
  void onlyFilesThatCanHoldKeysAreOpened() throws IOException {
    RunsFixture index = index(3, 4);
    CountingIO io = new CountingIO(index.table().io(), Streams.RANGED);
    LookupResult result = find(index, io, EXACT, inPages(PAGES + 1, PAGES + 2));
    assertThat(result.cost().files()).isEqualTo(1);
    assertThat(io.opened()).hasSize(1);
    CountingIO none = new CountingIO(index.table().io(), Streams.RANGED);
    assertThat(find(index, none, EXACT, List.of(List.of(-1L), List.of(1_000_000L))).cost())
        .isEqualTo(LookupCost.NONE);
    assertThat(none.opened()).isEmpty();
  }

  @Test
  void deletesAreReadOnlyForFilesWithFoundKeys() throws IOException {
    RunsFixture index = index(3, 2);
    for (LiveFile file : List.copyOf(index.files())) {
      index.hide(Map.of(file.path(), new TreeSet<>(List.of(0L, 330L))));
    }
    CountingIO io = new CountingIO(index.table().io(), Streams.RANGED);
    List<List<Long>> wanted = new ArrayList<>(inPages(3));
    wanted.add(List.of(PAGES * PAGE_ROWS * 2 + 421L));
    LookupResult result = find(index, io, EXACT, wanted);
    assertThat(result.hits()).hasSize(1);
    assertThat(result.cost().files()).isEqualTo(2);
    assertThat(result.cost().deletes().count()).isEqualTo(1);
    assertThat(io.opened()).hasSize(3);
    assertThat(result.cost().deletes().bytes()).isEqualTo(deleteBytes(io, index));
  }

  @Test
  void aHiddenEntryCostsNoPlace() throws IOException {
    RunsFixture index = index(3, 1);
    String path = index.files().iterator().next().path();
    index.hide(Map.of(path, new TreeSet<>(List.of(310L))));
    CountingIO io = new CountingIO(index.table().io(), Streams.RANGED);
    LookupResult result = find(index, io, EXACT, inPages(3));
    assertThat(result.hits()).isEmpty();
    assertThat(result.cost().keyPages()).isEqualTo(1);
    assertThat(result.cost().placePages()).isZero();
  }

  @Test
  void anEstimateIsCloseToWhatIsRead() throws IOException {
    RunsFixture index = index(3, 4);
    List<List<Long>> wanted = inPages(0, 9, 50, 51, 52, 53, 120);
    CountingIO io = new CountingIO(index.table().io(), Streams.RANGED);
    PageLookup lookup = PageLookup.of(io.counted(index.table()), index.key(), EXACT);
    LookupEstimate estimate = lookup.estimate(index.files(), index.keys(wanted));
    assertThat(io.opened()).isEmpty();
    assertThat(estimate.files()).isEqualTo(3);
    assertThat(estimate.pages()).isBetween(6L, 8L);
    assertThat(estimate.all().files()).isEqualTo(4);
    assertThat(estimate.all().pages()).isEqualTo(200);
    assertThat(estimate.all().entries()).isEqualTo(20_000);
    LookupCost cost = find(index, io, EXACT, wanted).cost();
    assertThat((double) estimate.bytes() / cost.reads().bytes()).isBetween(0.5, 2.0);
    assertThat((double) estimate.requests() / cost.reads().count()).isBetween(0.5, 2.0);
  }
}
