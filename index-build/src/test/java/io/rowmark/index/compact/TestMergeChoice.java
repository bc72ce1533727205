package io.rowmark.index.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.compact.MergeChoice.Scope;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class TestMergeChoice {
  private static final long MIB = 1L << 20;
  private static final long LARGEST = 128 * MIB;
  private static final Types.NestedField KEY =
      Types.NestedField.required(1, "id", Types.LongType.get());

  private static LiveFile file(String name, long size, long dead) {
    List<DeleteFile> deletes =
        dead == 0
            ? List.of()
            : List.of(
                FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                    .ofPositionDeletes()
                    .withPath("file:/index/" + name + ".puffin")
                    .withFormat(FileFormat.PUFFIN)
                    .withFileSizeInBytes(40)
                    .withReferencedDataFile("file:/index/" + name)
                    .withContentOffset(4)
                    .withContentSizeInBytes(30)
                    .withRecordCount(dead)
                    .build());
    return new LiveFile(
        DataFiles.builder(PartitionSpec.unpartitioned())
            .withPath("file:/index/" + name)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(size)
            .withRecordCount(100)
            .build(),
        deletes);
  }

  private static LiveFile range(long from, long to) {
    return new LiveFile(
        DataFiles.builder(PartitionSpec.unpartitioned())
            .withPath("file:/index/" + from + "-" + to)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(1)
            .withMetrics(
                new Metrics(
                    1L, null, null, null, null, Map.of(1, bytes(from)), Map.of(1, bytes(to))))
            .build(),
        List.of());
  }

  private static ByteBuffer bytes(long value) {
    return Conversions.toByteBuffer(Types.LongType.get(), value);
  }

  @Test
  void aSingleSmallFileIsLeftAlone() {
    assertThat(MergeChoice.of(List.of(file("a", MIB, 0)), 1, 4, 0.3, LARGEST)).isEmpty();
  }

  @Test
  void allSmallFilesAreMergedAndLargeOnesStay() {
    MergeChoice choice =
        MergeChoice.of(
                List.of(file("a", MIB, 0), file("b", 60 * MIB, 10), file("c", 70 * MIB, 29)),
                3,
                4,
                0.3,
                LARGEST)
            .orElseThrow();
    assertThat(choice).isEqualTo(new MergeChoice(2, 1, 61 * MIB, LARGEST / 2, 0.3, Scope.SOME));
    assertThat(choice.takes(file("c", 70 * MIB, 29))).isFalse();
  }

  @Test
  void aLargeFileWithManyDeadEntriesIsRewritten() {
    assertThat(MergeChoice.of(List.of(file("a", 100 * MIB, 30)), 1, 4, 0.3, LARGEST))
        .contains(new MergeChoice(1, 1, 100 * MIB, 0, 0.3, Scope.SOME));
  }

  @Test
  void everythingIsSortedAnewWhenTooManyLargeFilesMayHoldOneKey() {
    List<LiveFile> files = List.of(file("a", 100 * MIB, 0), file("b", 100 * MIB, 0));
    assertThat(MergeChoice.of(files, 2, 2, 0.3, LARGEST)).isEmpty();
    assertThat(MergeChoice.of(files, 3, 2, 0.3, LARGEST))
        .contains(new MergeChoice(2, 2, 200 * MIB, 0, 0.3, Scope.ALL));
  }

  @Test
  void rangesThatTouchHoldOneKey() {
    assertThat(depth()).isZero();
    assertThat(depth(range(1, 5), range(6, 9))).isEqualTo(1);
    assertThat(depth(range(1, 6), range(6, 9), range(-3, -3))).isEqualTo(2);
    assertThat(depth(range(1, 9), range(2, 3), range(4, 5), range(3, 4))).isEqualTo(3);
    assertThat(depth(range(1, 2), file("without bounds", 1, 0))).isEqualTo(2);
  }

  private static int depth(LiveFile... files) {
    return RangeDepth.of(Arrays.asList(files), KEY);
  }
}
