package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.CatalogServer;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.IndexBuilt;
import io.rowmark.app.engine.IndexChecked;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.merge.report.BatchReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Answers with what a test prepared, and remembers what it was asked. */
final class RecordedEngine implements Engine {
  static final BatchReport.TableReport CUSTOMERS =
      new BatchReport.TableReport(
          "shop.customers",
          null,
          7L,
          8L,
          new java.util.TreeMap<>(Map.of("events", 1234L, "rows", 1000L, "nothing", 0L)),
          Map.of("tombstone", 12L),
          Map.of("bad-json", 1L),
          List.of("column country was added"));

  static final BatchReport COMMITTED =
      new BatchReport(
          "shop",
          BatchReport.Outcome.COMMITTED,
          "b-1",
          "atomic",
          1,
          "2026-11-30T10:00:00Z",
          1500,
          List.of(new BatchReport.StepTime("read", 400)),
          List.of(CUSTOMERS),
          null);

  private final Supplier<BatchReport> ingest;
  private final IndexChecked checked;
  final List<String> asked = new ArrayList<>();

  private RecordedEngine(Supplier<BatchReport> ingest, IndexChecked checked) {
    this.ingest = ingest;
    this.checked = checked;
  }

  static RecordedEngine ingesting(Supplier<BatchReport> ingest) {
    return new RecordedEngine(ingest, new IndexChecked("i", 0, 0, List.of()));
  }

  static RecordedEngine verifying(IndexChecked checked) {
    return new RecordedEngine(() -> COMMITTED, checked);
  }

  static RecordedEngine working() {
    return ingesting(() -> COMMITTED);
  }

  @Override
  public SourceType sourceType(String text) {
    return SourceTypes.parse(text);
  }

  @Override
  public BatchReport ingest(AppConfig config, Steps steps) {
    asked.add("ingest " + config.pipeline().name() + " " + config.report().dir());
    steps.stepFinished("read", "3 files", Duration.ofMillis(400));
    return ingest.get();
  }

  @Override
  public IndexBuilt buildIndex(AppConfig config, String table, Steps steps) {
    asked.add("build " + table);
    return new IndexBuilt(table + config.pipeline().index().suffix(), 1000, 2, 3300);
  }

  @Override
  public IndexChecked verifyIndex(
      AppConfig config, String table, double samplePercent, Steps steps) {
    asked.add("verify " + table + " " + samplePercent);
    return checked;
  }

  @Override
  public CatalogServer startCatalog(Path directory) {
    throw RowmarkException.internal("no catalog in this test", null);
  }
}
