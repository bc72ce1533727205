package io.rowmark.merge;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.resolve.LookupEstimate;
import io.rowmark.index.resolve.PageLookup;
import io.rowmark.index.resolve.ReadRanges;
import io.rowmark.index.resolve.SparkKeys;
import io.rowmark.merge.commit.CommitProtocols;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.normalize.InputPreview;
import io.rowmark.merge.parallel.DriverThreads;
import io.rowmark.merge.plan.BatchPlan;
import io.rowmark.merge.plan.BatchPlan.PlannedTable;
import io.rowmark.merge.plan.IndexReads;
import io.rowmark.merge.plan.IndexReads.Basis;
import io.rowmark.merge.plan.TableOpener;
import io.rowmark.merge.plan.TablePlan;
import io.rowmark.merge.plan.TableShape;
import io.rowmark.merge.source.SeenInputs;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.source.SourceReader;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Says what the next batch would do. Reads metadata, file listings and, where it is small, the
 * waiting input; writes nothing.
 */
public final class BatchPlanner {
  private final PipelineSpec pipeline;
  private final Catalog catalog;
  private final Configuration hadoop;
  private final TableOpener opener;

  /**
   * @param hadoop for the landing folder
   */
  public BatchPlanner(PipelineSpec pipeline, Catalog catalog, Configuration hadoop) {
    this.pipeline = pipeline;
    this.catalog = catalog;
    this.hadoop = hadoop;
    this.opener = new TableOpener(catalog, pipeline, TableOpener.Upkeep.NONE);
  }

  public BatchPlan plan() {
    CommitProtocols.Choice commit = CommitProtocols.choose(pipeline, catalog, StepListener.SILENT);
    SourceBatch batch = new SourceReader(pipeline, catalog, hadoop).next(seen());
    List<PlannedTable> tables = new ArrayList<>();
    for (TableSpec spec : pipeline.tables()) {
      TablePlan plan = opener.plan(spec);
      Optional<TableInput> input =
          batch.tables().stream().filter(one -> one.spec().equals(spec)).findFirst();
      tables.add(
          new PlannedTable(
              plan,
              input.map(one -> one.files().size()).orElse(0),
              input.map(TableInput::bytes).orElse(0L),
              indexReads(plan, input)));
    }
    return new BatchPlan(pipeline.name(), commit.protocol().label(), commit.reason(), tables);
  }

  private SeenInputs seen() {
    TableIdentifier name = TableIdentifier.parse(pipeline.ledgerTable());
    return catalog.tableExists(name) ? Ledger.open(catalog, name) : SeenInputs.NONE;
  }

  private IndexReads indexReads(TablePlan plan, Optional<TableInput> input) {
    IndexedTable names = opener.names(plan.spec());
    DeleteFormat format = plan.format();
    if (format == null || format == DeleteFormat.EQUALITY || input.isEmpty()) {
      return IndexReads.NONE;
    }
    Optional<Table> index = IndexTables.find(catalog, names.index());
    if (index.isEmpty() || !catalog.tableExists(names.data())) {
      return IndexReads.NONE;
    }
    TableShape shape = TableShape.of(plan);
    KeySpec key = KeySpec.of(plan.spec().table(), shape.schema(), plan.spec().key());
    LiveFiles live =
        LiveFiles.withBounds(
            index.get(),
            index.get().currentSnapshot(),
            PageLookup.boundedColumns(index.get(), key));
    int files = live.all().size();
    Optional<SortedKeys> wanted = waitingKeys(input.get(), shape, key);
    if (wanted.isEmpty()) {
      return new IndexReads(files, live.bytes(), files, live.bytes(), Basis.WHOLE_INDEX);
    }
    LookupEstimate estimate =
        PageLookup.of(index.get(), key, ReadRanges.DEFAULT).estimate(live.all(), wanted.get());
    return new IndexReads(
        estimate.files(), estimate.bytes(), files, live.bytes(), Basis.WAITING_KEYS);
  }

  private Optional<SortedKeys> waitingKeys(TableInput input, TableShape shape, KeySpec key) {
    try (DriverThreads threads = DriverThreads.forFiles()) {
      return new InputPreview(pipeline, hadoop, threads)
          .rows(input, shape)
          .map(
              rows -> {
                SparkKeys keys = SparkKeys.ofTable(key, shape.schema());
                rows.forEach(keys::add);
                return keys.sorted();
              });
    }
  }
}
