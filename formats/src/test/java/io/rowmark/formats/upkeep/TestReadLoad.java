package io.rowmark.formats.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.upkeep.FileDebt.Certainty;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.junit.jupiter.api.Test;

class TestReadLoad {
  private static final PartitionSpec NONE = PartitionSpec.unpartitioned();

  private static DataFile data(String path, long rows, long bytes) {
    return DataFiles.builder(NONE)
        .withPath(path)
        .withFormat(FileFormat.PARQUET)
        .withRecordCount(rows)
        .withFileSizeInBytes(bytes)
        .build();
  }

  private static DeleteFile vector(String of, long dead) {
    return FileMetadata.deleteFileBuilder(NONE)
        .ofPositionDeletes()
        .withPath(of + ".puffin")
        .withFormat(FileFormat.PUFFIN)
        .withReferencedDataFile(of)
        .withContentOffset(4)
        .withContentSizeInBytes(30)
        .withFileSizeInBytes(70)
        .withRecordCount(dead)
        .build();
  }

  private static DeleteFile positions(String path, String of, long dead) {
    return FileMetadata.deleteFileBuilder(NONE)
        .ofPositionDeletes()
        .withPath(path)
        .withFormat(FileFormat.PARQUET)
        .withReferencedDataFile(of)
        .withFileSizeInBytes(50)
        .withRecordCount(dead)
        .build();
  }

  private static DeleteFile byKey(String path, long keys) {
    return FileMetadata.deleteFileBuilder(NONE)
        .ofEqualityDeletes(1)
        .withPath(path)
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(60)
        .withRecordCount(keys)
        .build();
  }

  @Test
  void aVectorTellsTheDeadRowsExactly() {
    FileDebt debt = FileDebt.of(new LiveFile(data("a", 10, 100), List.of(vector("a", 3))));
    assertThat(debt).isEqualTo(new FileDebt(10, 3, Certainty.EXACT));
    assertThat(debt.isDead()).isFalse();
    assertThat(FileDebt.of(new LiveFile(data("a", 3, 9), List.of(vector("a", 3)))).isDead())
        .isTrue();
  }

  @Test
  void severalFilesMayOverlapAndDeletesByKeySayNothing() {
    LiveFile overlapping =
        new LiveFile(data("a", 10, 100), List.of(positions("p", "a", 6), positions("q", "a", 6)));
    assertThat(FileDebt.of(overlapping)).isEqualTo(new FileDebt(10, 10, Certainty.GUESSED));
    assertThat(FileDebt.of(overlapping).isDead()).as("only guessed").isFalse();
    assertThat(FileDebt.of(new LiveFile(data("a", 10, 100), List.of(byKey("e", 10)))))
        .isEqualTo(new FileDebt(10, 0, Certainty.GUESSED));
  }

  @Test
  void aScanOpensADeleteFileForEachDataFileAndItsBytesCountOnce() {
    DeleteFile shared = byKey("e", 5);
    ReadLoad load =
        ReadLoad.of(
            List.of(
                new LiveFile(data("a", 10, 100), List.of(vector("a", 5), shared)),
                new LiveFile(data("b", 10, 100), List.of(shared))));
    assertThat(load).isEqualTo(new ReadLoad(2, 200, 20, 5, 2, 90, 3, 150));
    assertThat(load.filesOpened()).isEqualTo(5);
    assertThat(load.byteAmplification()).isEqualTo(290.0 / 150);
    assertThat(load.rowAmplification()).isEqualTo(20.0 / 15);
  }

  @Test
  void anEmptyTableCostsNothingMoreThanItsRows() {
    assertThat(ReadLoad.of(List.of())).isEqualTo(ReadLoad.NOTHING);
    assertThat(ReadLoad.NOTHING.byteAmplification()).isEqualTo(1);
    assertThat(ReadLoad.NOTHING.rowAmplification()).isEqualTo(1);
    assertThat(ReadLoad.clean(1, 100, 7).plus(ReadLoad.NOTHING))
        .isEqualTo(ReadLoad.clean(1, 100, 7));
  }
}
