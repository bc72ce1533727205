package io.rowmark.merge.maintain;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.commit.CommitProtocols;
import io.rowmark.merge.commit.PairCommit;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.spec.PipelineSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.SparkSession;

/** Maintains the tables of a pipeline, their indexes, and its ledger. */
public final class TableMaintainer {
  private final PipelineSpec pipeline;
  private final MaintainSpec spec;
  private final Catalog catalog;
  private final MaintainRequest request;

  public TableMaintainer(
      PipelineSpec pipeline, MaintainSpec spec, Catalog catalog, MaintainRequest request) {
    this.pipeline = pipeline;
    this.spec = spec;
    this.catalog = catalog;
    this.request = request;
  }

  /**
   * Looks at manifests only, and changes nothing.
   *
   * @param name of a data table of the configuration
   * @throws RowmarkException CONFIG when there is no such table; TABLE_STATE when its format
   *     version has no deletes
   */
  public MaintainOutlook outlook(String name) {
    return maker().of(TableView.load(pipeline, catalog, name));
  }

  /** The same of the ledger; empty if there is none, or nothing of it is asked for. */
  public Optional<MaintainOutlook> ledgerOutlook() {
    return ledgerTable()
        .filter(table -> wantsLedger())
        .map(table -> maker().ofLedger(pipeline.ledgerTable(), table));
  }

  private boolean wantsLedger() {
    return request.wants(MaintainTask.LEDGER)
        || request.wants(MaintainTask.EXPIRE)
        || request.wants(MaintainTask.ORPHANS);
  }

  private OutlookMaker maker() {
    return new OutlookMaker(spec, request, floor());
  }

  private ExpiryFloor floor() {
    return new ExpiryFloor(pipeline, catalog, ledger());
  }

  private Optional<Ledger> ledger() {
    return ledgerTable().map(table -> Ledger.open(catalog, ledgerName()));
  }

  private Optional<Table> ledgerTable() {
    return catalog.tableExists(ledgerName())
        ? Optional.of(catalog.loadTable(ledgerName()))
        : Optional.empty();
  }

  private TableIdentifier ledgerName() {
    return TableIdentifier.parse(pipeline.ledgerTable());
  }

  /**
   * Does what is asked for, step by step; after each, the tables are right.
   *
   * @throws RowmarkException as {@link #outlook}, and CONFLICT when others kept forestalling a
   *     commit, UNKNOWN_COMMIT when the catalog's answer was lost
   */
  public MaintainReport maintain(SparkSession spark, String name, MaintainListener listener) {
    long start = System.nanoTime();
    TableView view = TableView.load(pipeline, catalog, name);
    MaintainOutlook before = maker().of(view);
    listener.begins(before);
    List<StepReport> steps = new ArrayList<>();
    if (request.wants(MaintainTask.FILES)) {
      steps.addAll(upkeep(spark, view, listener).run());
    }
    if (request.wants(MaintainTask.INDEX) && view.index().isPresent()) {
      steps.addAll(index(spark, view.names(), listener));
    }
    Sweep sweep = new Sweep(spark, listener);
    IndexedTable names = view.names();
    sweep.table(name, names::loadData, table -> floor().ofData(names.data(), table));
    if (view.index().isPresent()) {
      sweep.table(
          names.index().toString(), () -> catalog.loadTable(names.index()), ExpiryFloor::ofIndex);
    }
    return report(before, outlook(name), steps, sweep, start);
  }

  /** The same of the ledger; empty if there is none, or nothing of it is asked for. */
  public Optional<MaintainReport> maintainLedger(SparkSession spark, MaintainListener listener) {
    long start = System.nanoTime();
    Optional<MaintainOutlook> before = ledgerOutlook();
    if (before.isEmpty()) {
      return Optional.empty();
    }
    listener.begins(before.get());
    List<StepReport> steps = new ArrayList<>();
    Supplier<Table> now = () -> catalog.loadTable(ledgerName());
    if (request.wants(MaintainTask.LEDGER)) {
      new IndexUpkeep(spark, spec, pipeline.commit().attempts())
          .merge(pipeline.ledgerTable(), now, table -> IndexUpkeep.choiceOfLedger(table, spec))
          .ifPresent(
              step -> {
                steps.add(step);
                listener.committed(step);
              });
    }
    Sweep sweep = new Sweep(spark, listener);
    sweep.table(pipeline.ledgerTable(), now, ExpiryFloor::ofLedger);
    MaintainOutlook after = ledgerOutlook().orElseThrow();
    return Optional.of(report(before.get(), after, steps, sweep, start));
  }

  private static MaintainReport report(
      MaintainOutlook before,
      MaintainOutlook after,
      List<StepReport> steps,
      Sweep sweep,
      long start) {
    return new MaintainReport(
        before,
        after,
        steps,
        sweep.expiries,
        sweep.orphans,
        sweep.notes,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
  }

  private DataUpkeep upkeep(SparkSession spark, TableView view, MaintainListener listener) {
    StepListener checkpoints = new Checkpoints(listener);
    PairCommit commits =
        new PairCommit(
            CommitProtocols.choose(
                    pipeline.commit(), pipeline.capabilities().catalog(), catalog, checkpoints)
                .protocol(),
            catalog,
            checkpoints);
    return new DataUpkeep(
        spark,
        new Landing(spark, view.names(), view.indexing(), commits),
        OutlookMaker.rules(spec, request),
        request,
        listener,
        pipeline.commit().attempts());
  }

  private List<StepReport> index(
      SparkSession spark, IndexedTable names, MaintainListener listener) {
    IndexUpkeep upkeep = new IndexUpkeep(spark, spec, pipeline.commit().attempts());
    List<StepReport> steps = new ArrayList<>();
    if (!spec.tombstoneRetention().isZero()) {
      ledger()
          .flatMap(
              ledger ->
                  ForgetHorizon.of(
                      ledger,
                      names.data().toString(),
                      request.now().minus(spec.tombstoneRetention())))
          .flatMap(upTo -> upkeep.forget(names, upTo))
          .ifPresent(steps::add);
    }
    upkeep
        .merge(
            names.index().toString(),
            () -> IndexTables.find(catalog, names.index()).orElseThrow(),
            table -> IndexUpkeep.choice(table, spec))
        .ifPresent(steps::add);
    steps.forEach(listener::committed);
    return steps;
  }

  /** What is told of a commit goes to the listener of the run. */
  private record Checkpoints(MaintainListener listener) implements StepListener {
    @Override
    public void reached(Checkpoint checkpoint) {
      listener.reached(checkpoint);
    }

    @Override
    public void stepFinished(Step step, String summary, Duration time) {}
  }

  /** Expires snapshots and lists orphans, table by table. */
  private final class Sweep {
    private final SparkSession spark;
    private final MaintainListener listener;
    private final List<ExpiryReport> expiries = new ArrayList<>();
    private final List<OrphanReport> orphans = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    Sweep(SparkSession spark, MaintainListener listener) {
      this.spark = spark;
      this.listener = listener;
    }

    void table(String name, Supplier<Table> now, Function<Table, List<ExpiryFloor.Needed>> needed) {
      if (request.wants(MaintainTask.EXPIRE)) {
        SnapshotExpiry expiry = new SnapshotExpiry(spec, request.now());
        Table table = now.get();
        ExpiryReport done = expiry.run(spark, table, expiry.plan(name, table, needed.apply(table)));
        expiries.add(done);
        listener.expired(done);
      }
      if (request.wants(MaintainTask.ORPHANS)) {
        orphans(name, now.get());
      }
    }

    private void orphans(String name, Table table) {
      if (!PropertyUtil.propertyAsBoolean(
          table.properties(), TableProperties.GC_ENABLED, TableProperties.GC_ENABLED_DEFAULT)) {
        notes.add(
            "orphan files of %s are not listed: gc.enabled = false, others may own its files"
                .formatted(name));
        return;
      }
      OrphanReport found =
          OrphanSearch.run(spark, name, table, request.now().minus(spec.orphansOlderThan()));
      orphans.add(found);
      listener.listed(found);
    }
  }
}
