package io.rowmark.merge;

import io.rowmark.merge.commit.CommitOutcome;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.resolve.ResolveCounts;
import io.rowmark.merge.resolve.ResolvedTable;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.stage.StagedBatch;
import io.rowmark.merge.write.WrittenTable;
import java.util.List;

/** One line per step for people. */
final class Summaries {
  private Summaries() {}

  static String of(SourceBatch batch) {
    String found =
        batch.isEmpty()
            ? "no new inputs"
            : "%,d new inputs, %,d bytes, %d tables, batch %s"
                .formatted(batch.fileCount(), batch.bytes(), batch.tables().size(), batch.id());
    String held = batch.waiting().isEmpty() ? "" : "; " + batch.waiting();
    return batch.absentTopics().isEmpty()
        ? found + held
        : found + held + "; no folder yet for topic " + String.join(", ", batch.absentTopics());
  }

  static String ofNormalized(List<NormalizedTable> tables) {
    long events = tables.stream().mapToLong(NormalizedTable::eventCount).sum();
    long rejects = tables.stream().mapToLong(NormalizedTable::rejectCount).sum();
    long skipped =
        tables.stream()
            .flatMap(table -> table.skipped().values().stream())
            .mapToLong(Long::longValue)
            .sum();
    return "%,d events, %,d rejected, %,d skipped".formatted(events, rejects, skipped);
  }

  static String ofResolved(List<ResolvedTable> tables) {
    long inserts = tables.stream().mapToLong(table -> table.counts().inserts()).sum();
    long updates = tables.stream().mapToLong(table -> table.counts().updates()).sum();
    long deletes = tables.stream().mapToLong(table -> table.counts().deletes()).sum();
    long files = tables.stream().mapToLong(table -> table.touchedData().size()).sum();
    long unseen = tables.stream().mapToLong(table -> unseen(table.counts())).sum();
    String found =
        "%,d inserts, %,d updates, %,d deletes in %,d data files"
            .formatted(inserts, updates, deletes, files);
    found = unseen == 0 ? found : found + ", %,d changes without lookup".formatted(unseen);
    long read = tables.stream().mapToLong(table -> table.reads().bytes()).sum();
    long whole = tables.stream().mapToLong(table -> table.reads().whole()).sum();
    return whole == 0
        ? found
        : found + "; %,d bytes read of indexes of %,d bytes".formatted(read, whole);
  }

  private static long unseen(ResolveCounts counts) {
    return counts.putsUnseen() + counts.removalsUnseen();
  }

  static String ofWritten(List<WrittenTable> tables) {
    long data = tables.stream().mapToLong(table -> table.dataFiles().size()).sum();
    long deletes = tables.stream().mapToLong(table -> table.dataDeletes().size()).sum();
    long runs = tables.stream().mapToLong(table -> table.indexFiles().size()).sum();
    long byKey = tables.stream().mapToLong(table -> table.keyDeletes().size()).sum();
    long bytes = tables.stream().mapToLong(WrittenTable::bytes).sum();
    return "%,d data files, %,d files with new deletes, %s%,d index files, %,d bytes"
        .formatted(
            data,
            deletes,
            byKey == 0 ? "" : "%,d equality delete files, ".formatted(byKey),
            runs,
            bytes);
  }

  static String ofRebase(Rebase decision) {
    if (decision instanceof Rebase.Rebased rebased) {
      return "%,d keys looked up again, %,d data files kept"
          .formatted(rebased.keys(), rebased.dataFiles());
    }
    return "to be made again: " + ((Rebase.Redo) decision).reason();
  }

  static String ofDeletes(List<WrittenTable> tables) {
    long deletes = tables.stream().mapToLong(table -> table.dataDeletes().size()).sum();
    return "%,d files with new deletes".formatted(deletes);
  }

  static String ofStaged(StagedBatch batch) {
    return "%d tables, %,d ledger entries".formatted(batch.tables().size(), batch.entries().size());
  }

  static String ofCommit(CommitOutcome outcome) {
    if (outcome instanceof CommitOutcome.Refused refused) {
      return "refused: " + refused.reason();
    } else if (outcome instanceof CommitOutcome.Unknown unknown) {
      return "unknown: " + unknown.reason();
    } else if (outcome instanceof CommitOutcome.Torn torn) {
      return "torn: " + torn.reason();
    }
    return "committed";
  }
}
