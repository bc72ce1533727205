package io.rowmark.merge.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import java.util.List;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestPartitionText {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "day", Types.DateType.get()),
          Types.NestedField.optional(3, "at", Types.TimestampType.withZone()),
          Types.NestedField.optional(4, "odd name", Types.StringType.get()));

  private static PartitionSpec parse(String... transforms) {
    return PartitionText.parse("shop.orders", SCHEMA, List.of(transforms));
  }

  @Test
  void noTransformsMakeAnUnpartitionedTable() {
    assertThat(parse().isUnpartitioned()).isTrue();
  }

  @Test
  void everyTransformIsKnown() {
    PartitionSpec expected =
        PartitionSpec.builderFor(SCHEMA)
            .bucket("id", 16)
            .identity("day")
            .hour("at")
            .truncate("odd name", 3)
            .build();
    assertThat(parse("bucket(16, id)", "day", "hours(at)", "truncate(3, odd name)"))
        .isEqualTo(expected);
    assertThat(parse("year(day)")).isEqualTo(parse("years(day)"));
    assertThat(parse("month(day)")).isEqualTo(parse("months(day)"));
    assertThat(parse("day(at)")).isEqualTo(parse(" DAYS( at ) "));
    assertThat(parse("identity(id)")).isEqualTo(parse("id"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bucket(id)",
        "zorder(id)",
        "days(id)",
        "nothing",
        "bucket(16, nothing)",
        "bucket(0, id)",
        "bucket(99999999999, id)",
        ""
      })
  void whatDoesNotWorkIsNamed(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(RowmarkException.class)
        .hasMessageStartingWith(
            "partition-by of table shop.orders has '%s', which does not work: ".formatted(text))
        .hasMessageEndingWith("bucket, truncate (number, column).");
  }
}
