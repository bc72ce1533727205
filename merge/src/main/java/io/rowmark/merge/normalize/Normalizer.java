package io.rowmark.merge.normalize;

import static org.apache.spark.sql.functions.col;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SchemaEvolution;
import io.rowmark.formats.type.SchemaEvolution.Step;
import io.rowmark.merge.parallel.DriverThreads;
import io.rowmark.merge.plan.KeptShape;
import io.rowmark.merge.plan.TableShape;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.source.InputContent;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.RejectSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Turns input files into typed events. Events are decoded for the columns that the table is thought
 * to have; where the events show others, the shape evolves and they are decoded again, so that the
 * usual batch is read once.
 */
public final class Normalizer {
  private static final int FIRST_LOOK_RECORDS = 1000;
  private static final int MOST_PASSES = 4;
  private static final int EXAMPLES = 20;

  private final SparkSession spark;
  private final PipelineSpec pipeline;
  private final DriverDecoder driver;

  /**
   * @param threads for the work of small batches on the driver
   */
  public Normalizer(SparkSession spark, PipelineSpec pipeline, DriverThreads threads) {
    this.spark = spark;
    this.pipeline = pipeline;
    this.driver =
        new DriverDecoder(
            pipeline.batch().driverEvents(), threads, spark.sparkContext().hadoopConfiguration());
  }

  /** Events of one pass over the input. */
  private record Pass(Events events, SliceSummary summary) {}

  /**
   * Decodes one table's input.
   *
   * @throws RowmarkException SOURCE when a file cannot be read, or the events' own schemas do not
   *     fit the table
   */
  public NormalizedTable normalize(TableInput input, TableShape start) {
    Records records = records(input);
    TableShape found = start.table() == null ? firstLook(start, records) : start;
    TableShape shape = KeptShape.of(found);
    for (int pass = 1; pass <= MOST_PASSES; pass++) {
      Pass read = decode(shape, records);
      SliceSummary summary = read.summary();
      TableShape next = evolved(shape, summary);
      if (next.schema().sameSchema(shape.schema())) {
        checkTruncate(input.spec(), summary);
        return new NormalizedTable(
            input,
            shape,
            read.events(),
            summary,
            summary.rejects() == 0 ? List.of() : rejects(read.events(), input),
            notes(shape, summary),
            pipeline.source().envelope().order().scope(),
            pipeline.source().envelope().images().carryOvers());
      }
      read.events().release();
      shape = next;
    }
    throw RowmarkException.internal(
        "The columns of table %s did not settle after %d passes over the input."
            .formatted(input.spec().table(), MOST_PASSES),
        null);
  }

  /** Where the records of a table's input are. */
  private sealed interface Records {
    /** In files, cut into slices. */
    record InSlices(List<Slice> slices) implements Records {}

    /** In rows that Spark reads. */
    record InRows(VersionEvents rows) implements Records {}
  }

  private Records records(TableInput input) {
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    return input.content() instanceof InputContent.DeltaVersions versions
        ? new Records.InRows(new VersionEvents(spark, versions.spans(), input.files()))
        : new Records.InSlices(Slices.of(input, pipeline.source().records().format(), hadoop));
  }

  /** Finds the columns of a table that does not exist yet in its first records. */
  private TableShape firstLook(TableShape shape, Records records) {
    DecodePlan plan = DecodePlan.of(shape.spec(), shape.schema(), pipeline.source());
    if (records instanceof Records.InRows versions) {
      return evolved(shape, versions.rows().firstLook(plan));
    }
    List<Slice> slices = ((Records.InSlices) records).slices();
    SliceEvents look =
        new SliceEvents(
            plan, slices, spark.sparkContext().hadoopConfiguration(), FIRST_LOOK_RECORDS);
    look.forEachRemaining(row -> {});
    return evolved(shape, look.summary());
  }

  private static TableShape evolved(TableShape shape, SliceSummary summary) {
    List<Step> steps = new ArrayList<>(SchemaEvolution.steps(shape.schema(), summary.typed()));
    Set<String> named = steps.stream().map(Step::name).collect(Collectors.toSet());
    for (Step step : SchemaEvolution.steps(shape.schema(), summary.inferred())) {
      // a single odd record among events without types is a reject, not a change of the table
      if (!(step instanceof SchemaEvolution.Conflict) && !named.contains(step.name())) {
        steps.add(step);
      }
    }
    return shape.evolve(steps);
  }

  private Pass decode(TableShape shape, Records records) {
    DecodePlan plan = DecodePlan.of(shape.spec(), shape.schema(), pipeline.source());
    StructType type = EventRows.type(shape.schema());
    if (records instanceof Records.InRows versions) {
      Dataset<Row> events = versions.rows().events(plan, type);
      return new Pass(new Events.Spread(events), versions.rows().read(() -> summaryOf(events)));
    }
    List<Slice> slices = ((Records.InSlices) records).slices();
    return driver
        .decode(plan, slices)
        .map(few -> new Pass(new Events.AtHand(few.rows(), type), few.summary()))
        .orElseGet(
            () -> {
              Dataset<Row> events = spread(plan, type, slices);
              return new Pass(new Events.Spread(events), summaryOf(events));
            });
  }

  private Dataset<Row> spread(DecodePlan plan, StructType type, List<Slice> slices) {
    int parallelism = spark.sparkContext().defaultParallelism();
    List<List<Slice>> groups = Slices.pack(slices, 4 * parallelism);
    SerializableConfiguration hadoop =
        new SerializableConfiguration(spark.sparkContext().hadoopConfiguration());
    List<ArrayList<Slice>> work = groups.stream().map(ArrayList::new).toList();
    ArrayList<ArrayList<Slice>> shipped = new ArrayList<>(work);
    MapPartitionsFunction<Long, Row> read =
        numbers -> {
          List<Slice> mine = new ArrayList<>();
          numbers.forEachRemaining(number -> mine.addAll(shipped.get(number.intValue())));
          return new SliceEvents(plan, mine, hadoop.value(), Long.MAX_VALUE);
        };
    return spark
        .range(0, groups.size(), 1, groups.size())
        .as(Encoders.LONG())
        .mapPartitions(read, Encoders.row(type))
        .persist(StorageLevel.MEMORY_AND_DISK());
  }

  private static SliceSummary summaryOf(Dataset<Row> events) {
    List<Row> rows =
        events
            .filter(col(EventRows.KIND).equalTo(EventRows.SUMMARY))
            .select(EventRows.SUMMARIES)
            .collectAsList();
    SliceSummary sum = SliceSummary.EMPTY;
    for (Row row : rows) {
      SliceSummary part = SerializationUtil.deserializeFromBytes((byte[]) row.get(0));
      sum = sum.plus(part);
    }
    return sum;
  }

  private List<Reject> rejects(Events events, TableInput input) {
    RejectSpec spec = pipeline.rejects();
    int most = (int) Math.min(Integer.MAX_VALUE, spec.maxRecords() + EXAMPLES);
    List<Row> rows =
        events instanceof Events.AtHand few
            ? few.rows().stream()
                .filter(row -> row.getByte(EventRows.KIND_AT) == EventRows.REJECT)
                .limit(most)
                .toList()
            : events
                .spread(spark)
                .filter(col(EventRows.KIND).equalTo(EventRows.REJECT))
                .limit(most)
                .collectAsList();
    return rows.stream().map(row -> toReject(row, input.files(), spec)).toList();
  }

  private static Reject toReject(Row row, List<InputFile> files, RejectSpec spec) {
    Row reject = row.getStruct(EventRows.REJECTED_AT);
    byte[] raw = spec.content() == RejectSpec.Content.RAW_RECORD ? (byte[]) reject.get(3) : null;
    return new Reject(
        files.get(row.getInt(EventRows.FILE_AT)).name(),
        row.getLong(EventRows.PLACE_AT),
        reject.getString(0),
        reject.getString(1),
        reject.getString(2),
        raw);
  }

  private static void checkTruncate(TableSpec spec, SliceSummary summary) {
    if (summary.truncate() != null && spec.truncatePolicy() == TableSpec.TruncatePolicy.FAIL) {
      throw RowmarkException.source(
          "The input of table %s holds %d truncate events, and truncate-policy is fail. Set it to apply or ignore, or remove the events."
              .formatted(spec.table(), summary.ops().getOrDefault(ChangeOp.TRUNCATE, 0L)));
    }
    if (summary.truncate() != null
        && spec.truncatePolicy() == TableSpec.TruncatePolicy.APPLY
        && spec.kept() != KeptRows.NONE) {
      throw RowmarkException.source(
          "The input of table %s holds %d truncate events. The table keeps rows that the source deletes, and a truncate does not say which it deleted, so it is not applied; nothing was changed. Set truncate-policy = ignore to pass them over, or remove the events."
              .formatted(spec.table(), summary.ops().getOrDefault(ChangeOp.TRUNCATE, 0L)));
    }
  }

  private static List<String> notes(TableShape shape, SliceSummary summary) {
    List<String> notes = new ArrayList<>();
    if (!shape.steps().isEmpty()) {
      notes.add("columns: " + TableShape.describe(shape.steps()));
    }
    if (summary.typed().isEmpty()) {
      String guessed =
          shape.schema().columns().stream()
              .filter(column -> shape.table() == null)
              .filter(column -> !isDeclared(shape.spec(), column.name()))
              .map(column -> column.name() + " " + column.type())
              .collect(Collectors.joining(", "));
      if (!guessed.isEmpty()) {
        notes.add("types taken from JSON, since events carry none: " + guessed);
      }
    }
    return notes;
  }

  private static boolean isDeclared(TableSpec spec, String column) {
    return spec.columns().containsKey(column) && spec.columns().get(column).type() != null;
  }
}
