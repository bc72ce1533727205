package io.rowmark.merge.ledger;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ByteBuffers;
import org.jspecify.annotations.Nullable;

/** The ledger table's columns, and entries as rows of it. */
final class LedgerRows {
  static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "batch_id", Types.StringType.get()),
          Types.NestedField.required(2, "table_name", Types.StringType.get()),
          Types.NestedField.required(3, "input", Types.StringType.get()),
          Types.NestedField.required(4, "input_size", Types.LongType.get()),
          Types.NestedField.required(5, "input_modified", Types.TimestampType.withZone()),
          Types.NestedField.required(6, "events", Types.LongType.get()),
          Types.NestedField.required(7, "rejects", Types.LongType.get()),
          Types.NestedField.optional(8, "first_order", Types.BinaryType.get()),
          Types.NestedField.optional(9, "last_order", Types.BinaryType.get()),
          Types.NestedField.required(10, "status", Types.StringType.get()),
          Types.NestedField.optional(11, "data_snapshot", Types.LongType.get()),
          Types.NestedField.optional(12, "index_snapshot", Types.LongType.get()),
          Types.NestedField.optional(13, "staged_index", Types.StringType.get()),
          Types.NestedField.required(14, "recorded_at", Types.TimestampType.withZone()),
          Types.NestedField.optional(
              15, "held_back", Types.ListType.ofRequired(16, Types.StringType.get())));

  /** The columns of ledgers from before inputs could be taken in part. */
  static final Schema FORMER = new Schema(SCHEMA.columns().subList(0, 14));

  private LedgerRows() {}

  static Record toRecord(LedgerEntry entry) {
    GenericRecord row = GenericRecord.create(SCHEMA);
    row.set(0, entry.batchId());
    row.set(1, entry.table());
    row.set(2, entry.input());
    row.set(3, entry.inputSize());
    row.set(4, timestamp(entry.inputModified()));
    row.set(5, entry.events());
    row.set(6, entry.rejects());
    row.set(7, wrap(entry.firstOrder()));
    row.set(8, wrap(entry.lastOrder()));
    row.set(9, entry.status().name());
    row.set(10, entry.dataSnapshot());
    row.set(11, entry.indexSnapshot());
    row.set(12, entry.stagedIndex());
    row.set(13, timestamp(entry.recordedAt()));
    row.set(14, entry.heldBack().isEmpty() ? null : entry.heldBack());
    return row;
  }

  static LedgerEntry fromRecord(Record row) {
    return new LedgerEntry(
        row.get(0, String.class),
        row.get(1, String.class),
        row.get(2, String.class),
        row.get(3, Long.class),
        row.get(4, OffsetDateTime.class).toInstant(),
        row.get(5, Long.class),
        row.get(6, Long.class),
        unwrap(row.get(7, ByteBuffer.class)),
        unwrap(row.get(8, ByteBuffer.class)),
        LedgerEntry.Status.valueOf(row.get(9, String.class)),
        row.get(10, Long.class),
        row.get(11, Long.class),
        row.get(12, String.class),
        row.get(13, OffsetDateTime.class).toInstant(),
        texts(row.get(14, List.class)));
  }

  private static List<String> texts(@Nullable List<?> values) {
    return values == null ? List.of() : values.stream().map(String::valueOf).toList();
  }

  private static OffsetDateTime timestamp(Instant instant) {
    // Iceberg keeps microseconds
    return instant.truncatedTo(java.time.temporal.ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  private static @Nullable ByteBuffer wrap(byte @Nullable [] bytes) {
    return bytes == null ? null : ByteBuffer.wrap(bytes);
  }

  private static byte @Nullable [] unwrap(@Nullable ByteBuffer buffer) {
    return buffer == null ? null : ByteBuffers.toByteArray(buffer);
  }
}
