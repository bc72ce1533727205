package io.rowmark.merge.normalize;

import io.rowmark.merge.parallel.DriverThreads;
import io.rowmark.merge.record.RecordReader;
import io.rowmark.merge.record.RecordReaders;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.record.SourceRecord;
import io.rowmark.merge.record.TransactionMark;
import io.rowmark.merge.source.InputMarks;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.PipelineSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Reads inputs for the source transactions of their changes, and for nothing else: no value is
 * decoded. Small inputs are read by the driver's threads, others in Spark tasks.
 */
public final class TransactionSurvey {
  /** Above this tasks are worth their start. */
  private static final long MOST_DRIVER_BYTES = 64L << 20;

  private final SparkSession spark;
  private final PipelineSpec pipeline;
  private final DriverThreads threads;

  public TransactionSurvey(SparkSession spark, PipelineSpec pipeline, DriverThreads threads) {
    this.spark = spark;
    this.pipeline = pipeline;
    this.threads = threads;
  }

  /**
   * What the changes of each input are of, by its rank, as far as they are in its portion.
   *
   * @throws io.rowmark.formats.failure.RowmarkException SOURCE when a file cannot be read
   */
  public List<InputMarks> of(TableInput input) {
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    List<Slice> slices = Slices.of(input, pipeline.source().records().format(), hadoop);
    FeedPlan feed = FeedPlan.of(pipeline.source(), input.spec().feed());
    long bytes = Slices.unpackedBytes(slices, feed.records().format(), hadoop);
    Map<Integer, InputMarks> found = new HashMap<>();
    (bytes <= MOST_DRIVER_BYTES ? onDriver(feed, slices, hadoop) : inTasks(feed, slices))
        .forEach(
            part ->
                part.forEach(
                    (rank, marks) ->
                        found.computeIfAbsent(rank, one -> new InputMarks()).add(marks)));
    return IntStream.range(0, input.files().size())
        .mapToObj(rank -> found.getOrDefault(rank, new InputMarks()))
        .toList();
  }

  private List<HashMap<Integer, InputMarks>> onDriver(
      FeedPlan feed, List<Slice> slices, Configuration hadoop) {
    return threads.all(
        Slices.pack(slices, Runtime.getRuntime().availableProcessors()).stream()
            .map(group -> (Callable<HashMap<Integer, InputMarks>>) () -> marks(feed, group, hadoop))
            .toList());
  }

  private List<HashMap<Integer, InputMarks>> inTasks(FeedPlan feed, List<Slice> slices) {
    int parallelism = spark.sparkContext().defaultParallelism();
    SerializableConfiguration hadoop =
        new SerializableConfiguration(spark.sparkContext().hadoopConfiguration());
    ArrayList<ArrayList<Slice>> shipped = new ArrayList<>();
    Slices.pack(slices, 4 * parallelism).forEach(group -> shipped.add(new ArrayList<>(group)));
    MapPartitionsFunction<Long, byte[]> read =
        numbers -> {
          List<Slice> mine = new ArrayList<>();
          numbers.forEachRemaining(number -> mine.addAll(shipped.get(number.intValue())));
          return List.of(SerializationUtil.serializeToBytes(marks(feed, mine, hadoop.value())))
              .iterator();
        };
    return spark
        .range(0, shipped.size(), 1, shipped.size())
        .as(Encoders.LONG())
        .mapPartitions(read, Encoders.BINARY())
        .collectAsList()
        .stream()
        .map(SerializationUtil::<HashMap<Integer, InputMarks>>deserializeFromBytes)
        .toList();
  }

  private static HashMap<Integer, InputMarks> marks(
      FeedPlan feed, List<Slice> slices, Configuration hadoop) {
    RecordReaders readers =
        new RecordReaders(feed.records(), feed.envelope().images(), feed.table().fields(), hadoop);
    MarkReader reader = new MarkReader(feed.envelope(), feed.table());
    HashMap<Integer, InputMarks> found = new HashMap<>();
    for (Slice slice : slices) {
      InputMarks marks = found.computeIfAbsent(slice.file(), rank -> new InputMarks());
      try (RecordReader records = readers.open(slice)) {
        while (records.next()) {
          SourceRecord record = readers.record(records);
          TransactionMark mark = reader.mark(record, slice, records.place());
          if (mark != null && slice.portion().takes(mark)) {
            marks.add(mark);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return found;
  }
}
