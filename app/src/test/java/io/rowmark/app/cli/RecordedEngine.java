package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Batches;
import io.rowmark.app.engine.CatalogServer;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.IndexCare;
import io.rowmark.app.engine.KeyPlaces;
import io.rowmark.app.engine.TableCheck;
import io.rowmark.app.engine.WantedInputs;
import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.index.build.BuildReport;
import io.rowmark.index.duplicates.Duplicates;
import io.rowmark.index.lookup.IndexEntry;
import io.rowmark.index.purge.KeyHolder;
import io.rowmark.index.purge.TableProof;
import io.rowmark.index.reconcile.ReconcileLimits;
import io.rowmark.index.reconcile.Reconciliation;
import io.rowmark.index.verify.Difference;
import io.rowmark.index.verify.VerifyReport;
import io.rowmark.merge.convert.ConvertListener;
import io.rowmark.merge.convert.ConvertOutlook;
import io.rowmark.merge.convert.ConvertReport;
import io.rowmark.merge.convert.ConvertRequest;
import io.rowmark.merge.maintain.MaintainListener;
import io.rowmark.merge.maintain.MaintainOutlook;
import io.rowmark.merge.maintain.MaintainReport;
import io.rowmark.merge.maintain.MaintainRequest;
import io.rowmark.merge.plan.BatchPlan;
import io.rowmark.merge.probe.Experiment;
import io.rowmark.merge.probe.Finding;
import io.rowmark.merge.probe.ProbeReport;
import io.rowmark.merge.probe.ProtocolChoice;
import io.rowmark.merge.purge.ProofReport;
import io.rowmark.merge.purge.PurgeReport;
import io.rowmark.merge.replay.ReplayPlan;
import io.rowmark.merge.replay.ReplayRequest;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.spec.TableSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.Namespace;

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

  private static final KeyHolder HOLDER =
      new KeyHolder(
          "shop.customers",
          KeyHolder.Kind.ROWS,
          KeyHolder.State.RETAINED,
          "s3://lake/a.parquet",
          List.of(5L, 6L),
          List.of("audit"));

  private final Supplier<BatchReport> ingest;
  private final List<Difference> differences;
  private Reconciliation reconciliation = new Reconciliation.Current();
  private ReplayPlan replay = new ReplayPlan(List.of(), List.of(), List.of());
  final List<String> asked = new ArrayList<>();

  private RecordedEngine(Supplier<BatchReport> ingest, List<Difference> differences) {
    this.ingest = ingest;
    this.differences = differences;
  }

  static RecordedEngine ingesting(Supplier<BatchReport> ingest) {
    return new RecordedEngine(ingest, List.of());
  }

  static RecordedEngine verifying(List<Difference> differences) {
    return new RecordedEngine(() -> COMMITTED, differences);
  }

  static RecordedEngine reconciling(Reconciliation reconciliation) {
    RecordedEngine engine = working();
    engine.reconciliation = reconciliation;
    return engine;
  }

  static RecordedEngine replaying(ReplayPlan plan) {
    RecordedEngine engine = working();
    engine.replay = plan;
    return engine;
  }

  static RecordedEngine working() {
    return ingesting(() -> COMMITTED);
  }

  @Override
  public SourceType sourceType(String text) {
    return SourceTypes.parse(text);
  }

  @Override
  public Batches batches(AppConfig config, WantedInputs inputs) {
    if (!inputs.equals(WantedInputs.New.ALL)) {
      asked.add(inputs.toString());
    }
    return new Batches() {
      private int next;

      @Override
      public Host host() {
        return Host.OWN;
      }

      @Override
      public BatchReport next(Steps steps) {
        asked.add("ingest " + config.pipeline().name() + " " + config.report().dir());
        steps.stepFinished("read", "3 files", Duration.ofMillis(400));
        return ingest.get();
      }

      /** One batch, where it is known beforehand how many there are. */
      @Override
      public boolean hasNext() {
        return inputs instanceof WantedInputs.New || next++ == 0;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public ReplayPlan replayPlan(AppConfig config, ReplayRequest request) {
    asked.add(request.toString());
    return replay;
  }

  @Override
  public BuildReport buildIndex(AppConfig config, TableSpec table) {
    asked.add("build " + table.table());
    return new BuildReport(1000, 5, 2, 3300, 1L, 2L, 700, Duplicates.NONE);
  }

  @Override
  public IndexCare care() {
    return new RecordedCare(asked);
  }

  @Override
  public Reconciliation reconcileIndex(AppConfig config, TableSpec table, ReconcileLimits limits) {
    asked.add("reconcile " + table.table());
    return reconciliation;
  }

  @Override
  public VerifyReport verifyIndex(AppConfig config, TableSpec table, double samplePercent) {
    asked.add("verify " + table.table() + " " + samplePercent);
    return new VerifyReport(
        1L, 2L, 5000, 5000, 0, differences, differences.size(), kinds(), samplePercent);
  }

  private Map<Difference.Kind, Long> kinds() {
    Map<Difference.Kind, Long> kinds = new TreeMap<>();
    differences.forEach(one -> kinds.merge(one.kind(), 1L, Long::sum));
    return kinds;
  }

  @Override
  public KeyPlaces lookUp(AppConfig config, TableSpec table, List<String> key) {
    asked.add("look up " + table.table() + " " + key);
    IndexEntry entry =
        new IndexEntry("s3://lake/a.parquet", 7L, null, ChangeOrder.encode(1, 40, 3));
    return new KeyPlaces(
        table.table(),
        table.table() + "__rowmark_index",
        key.contains("twice") ? "it covers snapshot 1 and the table is at 2" : null,
        key.contains("twice") ? List.of(entry, entry) : List.of(entry));
  }

  @Override
  public TableCheck audit(AppConfig config, String table, Long snapshot) {
    throw RowmarkException.internal("no table in this test", null);
  }

  @Override
  public BatchPlan plan(AppConfig config) {
    throw RowmarkException.internal("no plan in this test", null);
  }

  @Override
  public void applyPlan(AppConfig config, BiConsumer<String, String> done) {
    throw RowmarkException.internal("no plan in this test", null);
  }

  @Override
  public List<ConvertOutlook> convertOutlook(
      AppConfig config, List<String> tables, ConvertRequest request) {
    asked.add("outlook " + tables + " " + request);
    return List.of();
  }

  @Override
  public List<ConvertReport> convert(
      AppConfig config, List<String> tables, ConvertRequest request, ConvertListener listener) {
    asked.add("convert " + tables + " " + request);
    return List.of();
  }

  @Override
  public PurgeReport purgeOutlook(AppConfig config, TableSpec table, String keys) {
    asked.add("outlook of a purge " + table.table() + " " + keys);
    return purged(table, null);
  }

  @Override
  public PurgeReport purge(AppConfig config, TableSpec table, String keys) {
    asked.add("purge " + table.table() + " " + keys);
    return purged(
        table,
        new PurgeReport.Done("purge-1", "atomic", 1, 2, 1, 1200, 3, 3, 1200, 0, 5000, 7L, 8L));
  }

  private static PurgeReport purged(TableSpec table, PurgeReport.Done done) {
    return new PurgeReport(
        table.table(),
        table.table() + "__rowmark_index",
        2,
        new PurgeReport.Found(9, 4000, 2, 1, 3, 0, 2, 2, 1, 1, 4),
        done,
        done == null ? List.of() : List.of(HOLDER),
        List.of(),
        List.of("landed files: /landing, topic customers"),
        List.of(),
        1500);
  }

  @Override
  public ProofReport provePurge(AppConfig config, TableSpec table, String keys) {
    asked.add("prove " + table.table() + " " + keys);
    boolean gone = keys.contains("gone");
    return new ProofReport(
        table.table(),
        2,
        List.of(
            new TableProof(
                table.table(), 3, 12, 5, 4000, gone ? List.of() : List.of(HOLDER), List.of())),
        List.of(),
        900);
  }

  @Override
  public List<MaintainOutlook> maintainOutlook(
      AppConfig config, List<String> tables, MaintainRequest request) {
    asked.add("outlook %s %s".formatted(tables, ofMaintenance(request)));
    return List.of();
  }

  @Override
  public List<MaintainReport> maintain(
      AppConfig config, List<String> tables, MaintainRequest request, MaintainListener listener) {
    asked.add("maintain %s %s".formatted(tables, ofMaintenance(request)));
    return List.of();
  }

  private static String ofMaintenance(MaintainRequest request) {
    return "%s %d bytes %d commits"
        .formatted(
            request.tasks().stream().sorted().toList(), request.maxBytes(), request.maxCommits());
  }

  @Override
  public ProbeReport probeCatalog(AppConfig config, Namespace scratch) {
    asked.add("probe " + scratch);
    ProtocolChoice.Fit fit =
        scratch.level(0).equals("unsafe")
            ? ProtocolChoice.Fit.UNSAFE
            : ProtocolChoice.Fit.BETTER_EXISTS;
    return new ProbeReport(
        "lake",
        "RESTCatalog",
        scratch.toString(),
        List.of(
            new Finding(Experiment.CREATE_V2, Finding.Verdict.YES, "created"),
            new Finding(Experiment.CREATE_V3, Finding.Verdict.WRONG, "created as another")),
        new ProtocolChoice("ordered", "commit.mode = ordered", fit, "Do better."),
        List.of("table s.t (gone)"));
  }

  @Override
  public CatalogServer startCatalog(Path directory) {
    throw RowmarkException.internal("no catalog in this test", null);
  }
}
