package io.rowmark.merge.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.testing.LocalSpark;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where there is no Delta Lake; what Delta tables say is tested with the command line. */
@ExtendWith(LocalSpark.class)
class TestDeltaTable {
  @ParameterizedTest
  @ValueSource(strings = {"/lake/parcels", "core.parcels"})
  void aSessionWithoutDeltaIsToldWhatToAdd(String topic) {
    DeltaTable table = DeltaTable.of(LocalSpark.session(), topic);

    assertThatThrownBy(() -> table.newest(1))
        .isInstanceOfSatisfying(
            RowmarkException.class,
            error -> assertThat(error.category()).isEqualTo(Category.CONFIG))
        .hasMessageContaining("This Spark session cannot read Delta tables, as " + topic)
        .hasMessageContaining("--packages io.delta:delta-spark_4.1_2.13:4.4.0")
        .hasMessageContaining("io.delta.sql.DeltaSparkSessionExtension")
        .hasMessageContaining("org.apache.spark.sql.delta.catalog.DeltaCatalog");
  }

  @Test
  void aPathIsTheSameWithSlashesAtItsEnd(SparkSession session) {
    assertThat(DeltaTable.of(session, "s3://lake/parcels//").name()).isEqualTo("s3://lake/parcels");
    assertThat(DeltaTable.of(session, "core.parcels").name()).isEqualTo("core.parcels");
  }

  @Test
  void aSessionThatLeavesMissingFilesOutIsRefused(SparkSession session) {
    session.conf().set("spark.sql.files.ignoreMissingFiles", "true");
    try {
      assertThatThrownBy(() -> DeltaTable.of(session, "/lake/parcels"))
          .isInstanceOf(RowmarkException.class)
          .hasMessage(
              "This Spark session has spark.sql.files.ignoreMissingFiles = true, with which rows of"
                  + " source tables get lost unseen. Set it to false.");
    } finally {
      session.conf().unset("spark.sql.files.ignoreMissingFiles");
    }
  }
}
