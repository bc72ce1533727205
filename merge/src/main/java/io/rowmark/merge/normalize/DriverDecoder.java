package io.rowmark.merge.normalize;

import io.rowmark.merge.parallel.DriverThreads;
import io.rowmark.merge.record.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.sql.Row;

/** Decodes input on the driver as long as it is small, which spares a small batch Spark's jobs. */
final class DriverDecoder {
  /** Above this the events are taken to be many, or large, without a look. */
  private static final long MOST_BYTES = 64L << 20;

  private final int mostEvents;
  private final DriverThreads threads;
  private final Configuration hadoop;

  DriverDecoder(int mostEvents, DriverThreads threads, Configuration hadoop) {
    this.mostEvents = mostEvents;
    this.threads = threads;
    this.hadoop = hadoop;
  }

  /** Events of some slices and what was seen in them. */
  record Decoded(List<Row> rows, SliceSummary summary) {}

  /** The events of all slices; empty when there are more than the driver should hold. */
  Optional<Decoded> decode(DecodePlan plan, List<Slice> slices) {
    long bytes = Slices.unpackedBytes(slices, plan.feed().records().format(), hadoop);
    if (mostEvents == 0 || bytes > MOST_BYTES) {
      return Optional.empty();
    }
    List<Callable<Optional<Decoded>>> parts =
        Slices.pack(slices, Runtime.getRuntime().availableProcessors()).stream()
            .map(group -> (Callable<Optional<Decoded>>) () -> part(plan, group))
            .toList();
    List<Row> rows = new ArrayList<>();
    SliceSummary sum = SliceSummary.EMPTY;
    boolean fits = true;
    for (Optional<Decoded> decoded : threads.all(parts)) {
      fits &= decoded.isPresent();
      if (fits) {
        rows.addAll(decoded.orElseThrow().rows());
        sum = sum.plus(decoded.orElseThrow().summary());
      }
    }
    return fits && rows.size() <= mostEvents
        ? Optional.of(new Decoded(rows, sum))
        : Optional.empty();
  }

  private Optional<Decoded> part(DecodePlan plan, List<Slice> slices) {
    SliceEvents events = new SliceEvents(plan, slices, hadoop, mostEvents + 1L);
    List<Row> rows = new ArrayList<>();
    SliceSummary summary = SliceSummary.EMPTY;
    while (events.hasNext()) {
      Row row = events.next();
      if (row.getByte(EventRows.KIND_AT) == EventRows.SUMMARY) {
        summary = SerializationUtil.deserializeFromBytes((byte[]) row.get(EventRows.SUMMARIES_AT));
      } else {
        rows.add(row);
      }
    }
    return events.isCut() ? Optional.empty() : Optional.of(new Decoded(rows, summary));
  }
}
