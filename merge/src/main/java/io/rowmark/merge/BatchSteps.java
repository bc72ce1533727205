package io.rowmark.merge;

import io.rowmark.index.scan.JobDescription;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.commit.CommitOutcome;
import io.rowmark.merge.commit.CommitProtocol;
import io.rowmark.merge.commit.CommitProtocols;
import io.rowmark.merge.commit.OrderedRecovery;
import io.rowmark.merge.cut.BatchCutter;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerWriter;
import io.rowmark.merge.migrate.LedgerUpkeep;
import io.rowmark.merge.migrate.TableUpkeep;
import io.rowmark.merge.normalize.DeadLetters;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.normalize.Normalizer;
import io.rowmark.merge.normalize.TransactionSurvey;
import io.rowmark.merge.parallel.DriverThreads;
import io.rowmark.merge.plan.Namespaces;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.plan.TableOpener;
import io.rowmark.merge.plan.TableShape;
import io.rowmark.merge.resolve.PositionResolver;
import io.rowmark.merge.resolve.ResolvedTable;
import io.rowmark.merge.source.SideInput;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.source.SourceReader;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.stage.BatchMarker;
import io.rowmark.merge.stage.BatchStager;
import io.rowmark.merge.stage.StagedBatch;
import io.rowmark.merge.write.BatchWriter;
import io.rowmark.merge.write.WrittenTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of one attempt, each over all tables of the batch. */
final class BatchSteps {
  private static final Logger LOG = LoggerFactory.getLogger(BatchSteps.class);

  private final PipelineSpec pipeline;
  private final SparkSession spark;
  private final Catalog catalog;
  private final StepListener listener;
  private final TableIdentifier ledgerName;
  private final TableOpener opener;
  private final CommitProtocol protocol;
  private final BatchRejects rejects;
  private final Map<String, TableShape> shapes = new HashMap<>();
  private final DriverThreads threads = DriverThreads.forFiles();
  private @Nullable Ledger listed;
  private final List<String> touched = new ArrayList<>();
  private final List<NormalizedTable> normalized = new ArrayList<>();
  private final List<ResolvedTable> resolved = Collections.synchronizedList(new ArrayList<>());

  BatchSteps(PipelineSpec pipeline, SparkSession spark, Catalog catalog, StepListener listener) {
    this.pipeline = pipeline;
    this.spark = spark;
    this.catalog = catalog;
    this.listener = listener;
    this.ledgerName = TableIdentifier.parse(pipeline.ledgerTable());
    this.opener = new TableOpener(catalog, pipeline, new TableUpkeep(spark));
    this.protocol = CommitProtocols.choose(pipeline, catalog, listener).protocol();
    this.rejects = new BatchRejects(new DeadLetters(pipeline.rejects(), hadoop()));
  }

  private Configuration hadoop() {
    return spark.sparkContext().hadoopConfiguration();
  }

  CommitProtocol protocol() {
    return protocol;
  }

  Ledger ledger() {
    Namespaces.create(catalog, ledgerName.namespace());
    return Ledger.open(catalog, ledgerName);
  }

  /**
   * @param given the batch to make; null for what is new
   */
  SourceBatch read(@Nullable SourceBatch given) {
    SourceReader reader = new SourceReader(pipeline, catalog, hadoop());
    Ledger ledger = recovered();
    listed = ledger;
    SourceBatch batch = given == null ? next(reader, ledger) : given;
    touched.addAll(reader.touched());
    if (!batch.isEmpty()) {
      new LedgerUpkeep(spark).mergeFiles(ledger.table());
    }
    listener.reached(Checkpoint.INPUTS_LISTED);
    return batch;
  }

  /** The ledger, after what was cut off has been ended. */
  private Ledger recovered() {
    Ledger ledger = ledger();
    return new OrderedRecovery(catalog, ledgerName, pipeline.index()).recover(ledger)
        ? ledger()
        : ledger;
  }

  private SourceBatch next(SourceReader reader, Ledger ledger) {
    TransactionSurvey survey = new TransactionSurvey(spark, pipeline, threads);
    return new BatchCutter(pipeline, survey, hadoop()).cut(reader.next(ledger), ledger);
  }

  /** Names of inputs that went in before and have another modification time now. */
  List<String> touched() {
    return List.copyOf(touched);
  }

  /**
   * Leaves out tables that have the batch already, which the ledger does not know: it was replaced
   * or rolled back. Their inputs are recorded as done.
   */
  SourceBatch withoutLanded(SourceBatch batch) {
    List<TableInput> left = new ArrayList<>();
    for (TableInput input : batch.tables()) {
      TableShape shape = opener.shape(input.spec());
      Table table = shape.table();
      if (table != null && BatchMarker.isIn(table, batch.id())) {
        LOG.info("Table {} has batch {} already", table.name(), batch.id());
        new LedgerWriter(catalog, ledgerName)
            .append(batch.id(), LedgerEntry.recovered(batch.id(), input, table));
      } else {
        shapes.put(input.spec().table(), shape);
        left.add(input);
      }
    }
    return batch.only(left);
  }

  List<NormalizedTable> normalize(SourceBatch batch) {
    Normalizer normalizer = new Normalizer(spark, pipeline, threads);
    normalized.addAll(
        EachTable.map(
            batch.tables(),
            input -> {
              try (JobDescription text = describe("normalize", input.spec().table())) {
                return normalizer.normalize(input, shapeOf(input));
              }
            }));
    rejects.afterNormalizing(batch, normalized);
    listener.reached(Checkpoint.CHANGES_NORMALIZED);
    return List.copyOf(normalized);
  }

  private TableShape shapeOf(TableInput input) {
    TableShape shape = shapes.get(input.spec().table());
    return shape == null ? opener.shape(input.spec()) : shape;
  }

  /** Tables of which nothing is known yet are left out. */
  List<ResolvedTable> resolve(SourceBatch batch, List<NormalizedTable> all) {
    List<NormalizedTable> changes = all.stream().filter(table -> !table.isUnknown()).toList();
    List<OpenTable> open = EachTable.map(changes, table -> opener.open(table.shape()));
    open.forEach(table -> GivenUpBatches.check(requireListed(), table));
    listener.reached(Checkpoint.TABLES_OPENED);
    PositionResolver resolver = new PositionResolver(spark, threads.executor());
    List<Integer> numbers = IntStream.range(0, open.size()).boxed().toList();
    resolved.addAll(
        EachTable.map(
            numbers,
            i -> {
              OpenTable table = open.get(i);
              try (JobDescription text = describe("resolve", table.spec().table())) {
                return resolver.resolve(opener.names(table.spec()), table, changes.get(i));
              }
            }));
    rejects.afterResolving(batch, resolved);
    listener.reached(Checkpoint.POSITIONS_RESOLVED);
    return List.copyOf(resolved);
  }

  List<WrittenTable> write(List<ResolvedTable> tables, String operationId) {
    BatchWriter writer = new BatchWriter(spark, pipeline.index(), threads);
    List<WrittenTable> rows =
        EachTable.map(
            tables,
            table -> {
              try (JobDescription text = describe("write rows", table.table().spec().table())) {
                return writer.writeRows(table, operationId);
              }
            });
    listener.reached(Checkpoint.DATA_WRITTEN);
    return writeDeletes(rows, operationId);
  }

  /** Deletes for rows that are written. */
  List<WrittenTable> writeDeletes(List<WrittenTable> rows, String operationId) {
    BatchWriter writer = new BatchWriter(spark, pipeline.index(), threads);
    List<WrittenTable> written =
        EachTable.map(
            rows,
            table -> {
              String name = table.resolved().table().spec().table();
              try (JobDescription text = describe("write deletes", name)) {
                return writer.writeDeletes(table, operationId);
              }
            });
    listener.reached(Checkpoint.DELETES_WRITTEN);
    return written;
  }

  /**
   * Looks whether files that were refused are right for the tables as they are by now.
   *
   * @param written of tables that have nothing of the batch
   */
  Rebase rebase(SourceBatch batch, List<WrittenTable> written) {
    return new BatchRebase(
            catalog,
            opener,
            new PositionResolver(spark, threads.executor()),
            name -> describe("resolve again", name),
            resolved::add)
        .rebase(batch, written, requireListed(), recovered());
  }

  private Ledger requireListed() {
    return Objects.requireNonNull(listed, "inputs are listed first");
  }

  StagedBatch stage(SourceBatch batch, List<WrittenTable> written) {
    List<SideInput> unknown =
        normalized.stream()
            .filter(NormalizedTable::isUnknown)
            .flatMap(table -> table.input().aside().stream())
            .toList();
    return new BatchStager(pipeline.name(), ledgerName).stage(batch.with(unknown), written);
  }

  CommitOutcome commit(StagedBatch staged) {
    return protocol.commit(staged);
  }

  /** Ends this attempt's threads and lets Spark forget what it kept. */
  void release() {
    threads.close();
    resolved.forEach(ResolvedTable::release);
    normalized.forEach(NormalizedTable::release);
  }

  private JobDescription describe(String step, String table) {
    return JobDescription.set(spark, "Rowmark %s: %s %s".formatted(pipeline.name(), step, table));
  }
}
