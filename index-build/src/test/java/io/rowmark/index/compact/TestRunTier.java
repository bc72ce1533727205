package io.rowmark.index.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.position.LiveFile;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.junit.jupiter.api.Test;

class TestRunTier {
  private static final long MIB = 1L << 20;
  private static final long LARGEST = 128 * MIB;

  private static List<LiveFile> files(long... sizes) {
    return Arrays.stream(sizes)
        .mapToObj(
            size ->
                new LiveFile(
                    DataFiles.builder(PartitionSpec.unpartitioned())
                        .withPath("file:/index/" + size + ".parquet")
                        .withFileSizeInBytes(size)
                        .withRecordCount(1)
                        .build(),
                    List.of()))
        .toList();
  }

  @Test
  void fewRunsAreLeftAlone() {
    assertThat(RunTier.of(files(1, 2, 3), 4, LARGEST)).isEmpty();
  }

  @Test
  void zeroMeansNever() {
    assertThat(RunTier.of(files(1, 2, 3), 0, LARGEST)).isEmpty();
  }

  @Test
  void smallRunsAreMergedAndALargeFileStays() {
    assertThat(RunTier.of(files(3, 1, 90 * MIB, 2), 3, LARGEST))
        .isEqualTo(Optional.of(new RunTier(3, 6, 4)));
  }

  @Test
  void aFileThatTheOthersWeighUpIsMergedWithThem() {
    assertThat(RunTier.of(files(7 * MIB, 6 * MIB, 20 * MIB), 3, LARGEST))
        .isEqualTo(Optional.of(new RunTier(3, 33 * MIB, 20 * MIB + 1)));
  }

  @Test
  void aFileOfTheTargetSizeIsDone() {
    assertThat(RunTier.of(files(100 * MIB, 101 * MIB, LARGEST), 2, LARGEST)).isEmpty();
  }

  @Test
  void filesOfOneSizeAreMergedTogetherOrNotAtAll() {
    assertThat(RunTier.of(files(5, 5, 5, 5), 4, LARGEST))
        .isEqualTo(Optional.of(new RunTier(4, 20, 6)));
  }
}
