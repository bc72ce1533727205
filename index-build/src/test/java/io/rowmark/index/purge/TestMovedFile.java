package io.rowmark.index.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.junit.jupiter.api.Test;

class TestMovedFile {
  private static DataFile file(String path, long rows) {
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(path)
        .withFormat("parquet")
        .withFileSizeInBytes(100)
        .withRecordCount(rows)
        .build();
  }

  @Test
  void keptRowsAreFoundInTheNewFilesAndOthersNowhere() {
    Random random = new Random(11);
    for (int round = 0; round < 200; round++) {
      KeptRuns.Builder builder = new KeptRuns.Builder();
      List<Integer> kept = new ArrayList<>();
      int rows = random.nextInt(60);
      int share = 1 + random.nextInt(9);
      for (int position = 0; position < rows; position++) {
        if (random.nextInt(10) < share) {
          builder.add(position);
          kept.add(position);
        }
      }
      KeptRuns runs = builder.build();
      int first = kept.isEmpty() ? 0 : random.nextInt(kept.size() + 1);
      List<DataFile> files = new ArrayList<>();
      if (first > 0) {
        files.add(file("a", first));
      }
      if (kept.size() > first) {
        files.add(file("b", kept.size() - first));
      }
      MovedFile moved = MovedFile.of("old", null, runs, files);
      for (int position = 0; position < rows + 2; position++) {
        int ordinal = kept.indexOf(position);
        MovedFile.NewPlace expected =
            ordinal < 0
                ? null
                : ordinal < first
                    ? new MovedFile.NewPlace("a", ordinal)
                    : new MovedFile.NewPlace("b", ordinal - first);
        assertThat(moved.place(position))
            .as("position %d in round %d", position, round)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void rowsMustAllBeWritten() {
    KeptRuns.Builder builder = new KeptRuns.Builder();
    builder.add(0);
    builder.add(2);
    assertThatThrownBy(() -> MovedFile.of("old", null, builder.build(), List.of(file("a", 1))))
        .hasMessageContaining("2 rows of data file old were kept and 1 written");
  }
}
