package io.rowmark.merge.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class TestDeltaColumns {
  private static DeltaColumns change(String before, String after) {
    return new DeltaColumns(StructType.fromDDL(before), StructType.fromDDL(after));
  }

  @Test
  void addedColumnsLoseNothing() {
    assertThat(change("id INT", "extra STRING, id INT").carryOver()).isTrue();
    assertThat(change("p STRUCT<x: INT>", "p STRUCT<y: INT, x: INT>").carryOver()).isTrue();
  }

  @Test
  void goneAndOtherwiseTypedColumnsLoseSomething() {
    assertThat(change("id INT, label STRING", "id INT").carryOver()).isFalse();
    assertThat(change("id INT", "id BIGINT").carryOver()).isFalse();
    assertThat(change("p STRUCT<x: INT>", "p STRUCT<y: INT>").carryOver()).isFalse();
    assertThat(change("a ARRAY<STRUCT<x: INT>>", "a ARRAY<STRUCT<x: INT, y: INT>>").carryOver())
        .isFalse();
  }

  @Test
  void columnsInPlaceOfOthersMayBeTheSame() {
    DeltaColumns renamed = change("id INT, p STRUCT<x: INT>", "id INT, p STRUCT<X: INT>");
    assertThat(renamed.mayBeRenamed()).isTrue();
    assertThat(renamed.gone()).containsExactly("p.x");
    assertThat(renamed.come()).containsExactly("p.X");

    assertThat(change("id INT, label STRING", "id INT").mayBeRenamed()).isFalse();
    assertThat(change("id INT", "id INT, label STRING").mayBeRenamed()).isFalse();
  }

  @Test
  void namesOfTheChangeFeedAreRefused() {
    assertThatThrownBy(
            () -> DeltaColumns.refuseReserved("/lake/t", StructType.fromDDL("_Change_Type INT")))
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "Delta table /lake/t has a column '_Change_Type', a name that Delta's change feed takes"
                + " for itself. Rename the column.");
  }
}
