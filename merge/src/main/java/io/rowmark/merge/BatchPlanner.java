package io.rowmark.merge;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.merge.commit.CommitProtocols;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.plan.BatchPlan;
import io.rowmark.merge.plan.BatchPlan.PlannedTable;
import io.rowmark.merge.plan.IndexReads;
import io.rowmark.merge.plan.TableOpener;
import io.rowmark.merge.plan.TablePlan;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.source.SourceReader;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/** Says what the next batch would do. Reads metadata and file listings; writes nothing. */
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
    SourceBatch batch = new SourceReader(pipeline, hadoop).next(isNew());
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
              indexReads(plan)));
    }
    return new BatchPlan(pipeline.name(), commit.protocol().label(), commit.reason(), tables);
  }

  private BiPredicate<String, InputFile> isNew() {
    TableIdentifier name = TableIdentifier.parse(pipeline.ledgerTable());
    return catalog.tableExists(name) ? Ledger.open(catalog, name)::isNew : (table, file) -> true;
  }

  private IndexReads indexReads(TablePlan plan) {
    IndexedTable names = opener.names(plan.spec());
    DeleteFormat format = plan.format();
    if (format == null || format == DeleteFormat.EQUALITY) {
      return IndexReads.NONE;
    }
    Optional<Table> index = IndexTables.find(catalog, names.index());
    if (index.isEmpty()) {
      return IndexReads.NONE;
    }
    LiveFiles live = LiveFiles.at(index.get(), index.get().currentSnapshot());
    return new IndexReads(live.all().size(), live.bytes());
  }
}
