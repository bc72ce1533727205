package io.rowmark.app.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.duplicates.DuplicatePlace;
import io.rowmark.index.duplicates.DuplicateReport;
import io.rowmark.index.duplicates.Duplicates;
import io.rowmark.index.history.KeyHistory;
import io.rowmark.index.history.Stay;
import io.rowmark.index.lookup.IndexEntry;
import io.rowmark.index.repair.RepairReport;
import io.rowmark.index.verify.Difference;
import io.rowmark.index.verify.Difference.Kind;
import io.rowmark.index.verify.VerifyReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known of an index as JSON, with the fields always in the same order. No row values. */
public final class IndexJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private IndexJson() {}

  private static String text(Map<String, @Nullable Object> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw RowmarkException.internal("The report cannot be written as JSON", e);
    }
  }

  /** Of a comparison. */
  public static String verified(String table, String index, VerifyReport report) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", table);
    fields.put("index", index);
    fields.put("agrees", report.agrees());
    fields.put("sampledPercent", report.sampledPercent());
    fields.put("rows", report.rowsInTable());
    fields.put("entries", report.entriesInIndex());
    fields.put("deletedKeys", report.tombstones());
    fields.put("differenceCount", report.differenceCount());
    fields.put("kinds", kinds(report.kinds()));
    fields.put("differences", report.differences().stream().map(IndexJson::difference).toList());
    fields.put("dataSnapshot", report.dataSnapshotId());
    fields.put("indexSnapshot", report.indexSnapshotId());
    return text(fields);
  }

  /** Of a repair. */
  public static String repair(RepairReport report) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", report.table());
    fields.put("index", report.index());
    fields.put("outcome", written(report.outcome()));
    fields.put("differenceCount", report.differenceCount());
    fields.put("kinds", kinds(report.kinds()));
    fields.put("differences", report.differences().stream().map(IndexJson::difference).toList());
    RepairReport.Mended mended = report.mended();
    if (mended != null) {
      fields.put("entriesDropped", mended.entriesDropped());
      fields.put("entriesAdded", mended.entriesAdded());
      fields.put("deletedKeysAdded", mended.tombstones());
      fields.put("bytesWritten", mended.bytes());
      fields.put("dataFilesReadAgain", mended.filesReadAgain());
      fields.put("indexSnapshot", mended.indexSnapshotId());
    }
    fields.put("duplicatesDeleted", duplicates(report.duplicates()));
    fields.put("dataSnapshot", report.dataSnapshotId());
    fields.put("millis", report.millis());
    return text(fields);
  }

  /** Of a search for repeated keys. */
  public static String duplicates(DuplicateReport report) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", report.table());
    fields.put("dataSnapshot", report.dataSnapshotId());
    fields.put("dataFilesRead", report.filesRead());
    fields.putAll(duplicates(report.duplicates()));
    fields.put("millis", report.millis());
    return text(fields);
  }

  /** Of one key. */
  public static String history(KeyHistory history) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", history.table());
    fields.put("index", history.index());
    fields.put("indexSnapshots", history.snapshots());
    fields.put("indexSnapshotsWithoutClaim", history.silent());
    fields.put("indexFilesRead", history.cost().files());
    fields.put("indexBytesRead", history.cost().reads().bytes());
    List<Map<String, @Nullable Object>> stays =
        history.stays().stream().map(IndexJson::stay).toList();
    fields.put("oldest", history.stays().isEmpty() ? null : history.stays().get(0).at().toString());
    fields.put("stays", stays);
    return text(fields);
  }

  private static Map<String, @Nullable Object> stay(Stay stay) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("sinceSnapshot", stay.since());
    fields.put("untilSnapshot", stay.until());
    fields.put("at", stay.at().toString());
    fields.put("batch", stay.batchId());
    fields.put("indexSnapshot", stay.indexSnapshotId());
    fields.put("entries", stay.entries().stream().map(IndexJson::entry).toList());
    return fields;
  }

  private static Map<String, @Nullable Object> entry(IndexEntry entry) {
    byte[] order = entry.changeOrder();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("deleted", entry.dataFile() == null);
    fields.put("dataFile", entry.dataFile());
    fields.put("position", entry.position());
    fields.put("rowId", entry.rowId());
    fields.put("changeOrder", order == null ? null : ChangeOrder.describe(order));
    return fields;
  }

  private static Map<String, @Nullable Object> duplicates(Duplicates duplicates) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("keys", duplicates.keys());
    fields.put("olderRows", duplicates.rows());
    fields.put("examples", duplicates.examples().stream().map(IndexJson::place).toList());
    return fields;
  }

  private static Map<String, Object> place(DuplicatePlace place) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("dataFile", place.dataFile());
    fields.put("position", place.position());
    fields.put("newestFile", place.newestFile());
    fields.put("newestPosition", place.newestPosition());
    return fields;
  }

  private static Map<String, Long> kinds(Map<Kind, Long> kinds) {
    Map<String, Long> fields = new LinkedHashMap<>();
    kinds.forEach((kind, count) -> fields.put(written(kind), count));
    return fields;
  }

  private static Map<String, @Nullable Object> difference(Difference difference) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("kind", written(difference.kind()));
    fields.put("dataFile", difference.dataFile());
    fields.put("position", difference.position());
    fields.put("detail", difference.detail());
    return fields;
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
