package io.rowmark.merge.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.merge.source.DeltaDifference.DeletionVectors;
import io.rowmark.merge.source.DeltaVersion.Files;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestDeltaVersion {
  private static DeltaVersion version(String operation, Files files, Map<String, String> metrics) {
    return new DeltaVersion(7, Instant.EPOCH, operation, files, metrics);
  }

  @ParameterizedTest
  @ValueSource(strings = {"OPTIMIZE", "VACUUM START", "RENAME COLUMN", "SET TBLPROPERTIES"})
  void operationsThatKeepRowsAreNoInputs(String operation) {
    assertThat(version(operation, Files.ANY, Map.of()).mayChangeRows()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE", "MERGE", "RESTORE", "CREATE OR REPLACE TABLE", "NEW THING"})
  void allOthersMayChangeRows(String operation) {
    assertThat(version(operation, Files.ANY, Map.of()).mayChangeRows()).isTrue();
  }

  @Test
  void aWriterThatSaysNothingMayChangeRows() {
    assertThat(version(null, Files.ANY, Map.of()).mayChangeRows()).isTrue();
    assertThat(version(null, Files.ANY, Map.of()).makesTable()).isFalse();
  }

  @Test
  void bytesAreThoseOfFilesThatCameAndWent() {
    assertThat(
            version(
                    "DELETE",
                    Files.ANY,
                    Map.of("numAddedBytes", "70", "numRemovedBytes", "30", "scanTimeMs", "9"))
                .bytes())
        .isEqualTo(100);
    assertThat(version("WRITE", Files.ADDED, Map.of("numOutputBytes", "?")).bytes()).isZero();
  }

  @Test
  void deletionVectorsAreThoseOfBeforeWhereTheHistorySaysSo() {
    Map<String, String> none =
        Map.of(
            "numDeletionVectorsAdded", "0",
            "numDeletionVectorsRemoved", "0",
            "numDeletionVectorsUpdated", "0");
    assertThat(version("DELETE", Files.ANY, none).vectors())
        .isEqualTo(DeletionVectors.AS_THEY_WERE);
    assertThat(version("WRITE", Files.ADDED, Map.of()).vectors())
        .isEqualTo(DeletionVectors.AS_THEY_WERE);
    assertThat(version("RESTORE", Files.ANY, Map.of()).vectors())
        .isEqualTo(DeletionVectors.MAY_DIFFER);
  }
}
