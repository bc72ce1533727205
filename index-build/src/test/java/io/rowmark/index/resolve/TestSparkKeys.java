package io.rowmark.index.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class TestSparkKeys {
  @Test
  void everyTypeBecomesTheValueThatIcebergHolds() {
    UUID id = new UUID(-5, 7);
    Type[] types = {
      Types.BooleanType.get(),
      Types.IntegerType.get(),
      Types.DateType.get(),
      Types.LongType.get(),
      Types.TimestampType.withZone(),
      Types.StringType.get(),
      Types.UUIDType.get(),
      Types.BinaryType.get(),
      Types.FixedType.ofLength(2),
      Types.DecimalType.of(9, 2),
      Types.DecimalType.of(38, 10)
    };
    BigDecimal small = new BigDecimal("-12.50");
    BigDecimal large = new BigDecimal("1234567890123456789012345.0123456789");
    byte[] bytes = {1, -1};
    Object[] row = {
      true,
      -3,
      4,
      5L,
      6L,
      UTF8String.fromString("é"),
      UTF8String.fromString(id.toString()),
      bytes,
      bytes,
      Decimal.apply(small, 9, 2),
      Decimal.apply(large, 38, 10)
    };
    KeySpec key = RunsFixture.key(types);
    StructType columns = new StructType();
    for (int i = 0; i < types.length; i++) {
      columns = columns.add("c" + i, SparkSchemaUtil.convert(types[i]));
    }
    SparkKeys keys = new SparkKeys(key, columns, IntStream.range(0, types.length).toArray());
    keys.add(new GenericInternalRow(row));
    SortedKeys found = keys.build();
    SortedKeys expected =
        SortedKeys.builder(key)
            .add(List.of(true, -3, 4, 5L, 6L, "é", id, bytes, bytes, small, large))
            .build();
    for (int i = 0; i < types.length; i++) {
      assertThat(found.value(0, i)).as("%s", types[i]).isEqualTo(expected.value(0, i));
    }
  }
}
