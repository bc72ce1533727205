package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.IndexCare;
import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.index.duplicates.DuplicatePlace;
import io.rowmark.index.duplicates.DuplicateReport;
import io.rowmark.index.duplicates.Duplicates;
import io.rowmark.index.history.KeyHistory;
import io.rowmark.index.history.Stay;
import io.rowmark.index.lookup.IndexEntry;
import io.rowmark.index.repair.IndexRepairer.Mode;
import io.rowmark.index.repair.RepairReport;
import io.rowmark.index.repair.RepairReport.Mended;
import io.rowmark.index.repair.RepairReport.Outcome;
import io.rowmark.index.resolve.LookupCost;
import io.rowmark.index.verify.Difference;
import io.rowmark.merge.spec.TableSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** An index with one wrong entry, in a table with one repeated key. */
record RecordedCare(List<String> asked) implements IndexCare {
  @Override
  public RepairReport repair(AppConfig config, TableSpec table, Mode mode) {
    asked.add("repair " + table.table() + " " + mode);
    boolean mends = mode == Mode.MEND;
    return new RepairReport(
        table.table(),
        table.table() + "__rowmark_index",
        mends ? Outcome.MENDED : Outcome.DIFFERS,
        Map.of(Difference.Kind.WRONG_PLACE, 1L),
        List.of(
            new Difference(Difference.Kind.WRONG_PLACE, "a.parquet", 7L, "an entry is elsewhere")),
        mends ? new Mended(1, 1, 0, 1234, 1, 9L) : null,
        Duplicates.NONE,
        5L,
        1500);
  }

  @Override
  public KeyHistory history(AppConfig config, TableSpec table, List<String> key) {
    asked.add("history " + table.table() + " " + key);
    IndexEntry entry = new IndexEntry("a.parquet", 7L, null, ChangeOrder.encode(1, 40, 3));
    IndexEntry gone = new IndexEntry(null, null, null, ChangeOrder.encode(1, 41, 1));
    Instant time = Instant.parse("2026-11-30T10:00:00Z");
    return new KeyHistory(
        table.table(),
        table.table() + "__rowmark_index",
        List.of(
            new Stay(List.of(), 1L, 1L, time, null, 11L),
            new Stay(List.of(entry), 2L, 4L, time.plusSeconds(60), "b-1", 12L),
            new Stay(List.of(gone), 5L, 5L, time.plusSeconds(90), "b-2", 13L)),
        5,
        1,
        LookupCost.NONE);
  }

  @Override
  public DuplicateReport duplicates(AppConfig config, TableSpec table) {
    asked.add("duplicates " + table.table());
    return new DuplicateReport(
        table.table(),
        5L,
        3,
        new Duplicates(1, 1, List.of(new DuplicatePlace("a.parquet", 7, "b.parquet", 0))),
        1500);
  }
}
