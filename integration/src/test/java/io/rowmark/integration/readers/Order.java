package io.rowmark.integration.readers;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** A row of the tables that every engine reads. */
record Order(
    int id, @Nullable String note, BigDecimal amount, LocalDateTime updatedAt, String region) {
  static final Schema SCHEMA =
      new Schema(
          List.of(
              Types.NestedField.required(1, "id", Types.IntegerType.get()),
              Types.NestedField.optional(2, "note", Types.StringType.get()),
              Types.NestedField.required(3, "amount", Types.DecimalType.of(12, 2)),
              Types.NestedField.required(4, "updated_at", Types.TimestampType.withoutZone()),
              Types.NestedField.required(5, "region", Types.StringType.get())));

  private static final List<String> REGIONS = List.of("north", "south", "west");
  private static final LocalDateTime START = LocalDateTime.of(2026, 3, 1, 0, 0, 0, 123_456_000);

  /** As first written. Some notes are null, some amounts negative. */
  static Order first(int id) {
    return new Order(
        id,
        id % 10 == 3 ? null : "row " + id,
        BigDecimal.valueOf(id * 101L - 9_999L, 2),
        START.plusMinutes(id),
        REGIONS.get(id % REGIONS.size()));
  }

  /** As written again after its first row was deleted. */
  Order renewed(String region) {
    return new Order(
        id, "renewed " + id, amount.negate(), updatedAt.plusDays(30).plusNanos(1_000), region);
  }

  /** Another region than the row's own. */
  String nextRegion() {
    return REGIONS.get((REGIONS.indexOf(region) + 1) % REGIONS.size());
  }

  Record record() {
    return GenericRecord.create(SCHEMA).copy(values());
  }

  Map<String, @Nullable Object> values() {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("id", id);
    values.put("note", note);
    values.put("amount", amount);
    values.put("updated_at", updatedAt);
    values.put("region", region);
    return values;
  }
}
