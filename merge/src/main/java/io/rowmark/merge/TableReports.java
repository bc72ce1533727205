package io.rowmark.merge;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.normalize.Reject;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.report.BatchReport.TableReport;
import io.rowmark.merge.resolve.LookupReads;
import io.rowmark.merge.resolve.ResolveCounts;
import io.rowmark.merge.stage.StagedBatch;
import io.rowmark.merge.stage.StagedTable;
import io.rowmark.merge.stage.StagedTable.StagedChange;
import io.rowmark.merge.write.WrittenTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.DeleteFile;

/** What a committed batch did to each table, for the report. */
final class TableReports {
  private TableReports() {}

  static List<TableReport> of(StagedBatch batch) {
    return batch.tables().stream().map(TableReports::of).toList();
  }

  private static TableReport of(StagedTable staged) {
    WrittenTable written = staged.written();
    NormalizedTable normalized = written.resolved().normalized();
    OpenTable table = written.resolved().table();
    StagedChange index = staged.index();
    List<String> notes = new ArrayList<>(table.notes());
    notes.addAll(normalized.notes());
    Map<String, Long> rejected = new TreeMap<>();
    normalized.rejects().stream()
        .map(Reject::code)
        .forEach(code -> rejected.merge(code, 1L, Long::sum));
    return new TableReport(
        table.spec().table(),
        table.base() == null ? null : table.base().snapshotId(),
        staged.data().snapshotIdAfter(),
        index == null ? null : index.snapshotIdAfter(),
        counts(written, normalized),
        new TreeMap<>(normalized.skipped()),
        rejected,
        notes);
  }

  private static Map<String, Long> counts(WrittenTable written, NormalizedTable normalized) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("input-files", (long) normalized.input().files().size());
    counts.put("input-bytes", normalized.input().bytes());
    counts.put("events", normalized.eventCount());
    for (ChangeOp op : ChangeOp.values()) {
      String name = "events-" + op.name().toLowerCase(Locale.ROOT).replace('_', '-');
      counts.put(name, normalized.ops().getOrDefault(op, 0L));
    }
    ResolveCounts resolved = written.resolved().counts();
    counts.put("inserts", resolved.inserts());
    counts.put("updates", resolved.updates());
    counts.put("deletes", resolved.deletes());
    counts.put("deletes-of-unknown-keys", resolved.unknownDeletes());
    counts.put("puts-without-lookup", resolved.putsUnseen());
    counts.put("deletes-without-lookup", resolved.removalsUnseen());
    counts.put("ended-versions", resolved.versions());
    counts.put("stale-changes", resolved.stale());
    counts.put("filled-from-old-rows", resolved.filled());
    LookupReads reads = written.resolved().reads();
    counts.put("index-bytes", reads.whole());
    counts.put("index-bytes-estimated", reads.estimated());
    counts.put("index-bytes-read", reads.bytes());
    counts.put("index-files-read", (long) reads.files());
    counts.put("index-pages-read", reads.pages());
    counts.put("index-requests", reads.requests());
    counts.put("data-files-added", (long) written.dataFiles().size());
    counts.put("data-bytes-added", WrittenTable.bytes(written.dataFiles()));
    counts.put("data-files-with-new-deletes", (long) written.dataDeletes().size());
    counts.put("data-files-emptied", emptied(written.dataDeletes()));
    counts.put("equality-delete-files-added", (long) written.keyDeletes().size());
    counts.put("equality-delete-bytes-added", WrittenTable.bytes(written.keyDeletes()));
    counts.put("equality-deletes-added", records(written.keyDeletes()));
    counts.put("index-files-added", (long) written.indexFiles().size());
    counts.put("index-bytes-added", WrittenTable.bytes(written.indexFiles()));
    counts.put("index-files-with-new-deletes", (long) written.indexDeletes().size());
    return counts;
  }

  private static long records(List<DeleteFile> deletes) {
    return deletes.stream().mapToLong(DeleteFile::recordCount).sum();
  }

  private static long emptied(List<FileDeletes> deletes) {
    return deletes.stream().filter(one -> one.fate() == FileDeletes.Fate.EMPTIED).count();
  }
}
