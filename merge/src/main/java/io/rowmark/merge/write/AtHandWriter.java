package io.rowmark.merge.write;

import io.rowmark.formats.position.FileDeleteWriter;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.index.resolve.IndexHit;
import io.rowmark.index.write.DeletePlan;
import io.rowmark.index.write.TaskNumber;
import io.rowmark.merge.parallel.DriverThreads;
import io.rowmark.merge.resolve.ResolvedChanges;
import io.rowmark.merge.resolve.ResolvedChanges.Placed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Writes changes that are at hand on the driver: rows in one thread, deletes file by file. */
final class AtHandWriter {
  private final ResolvedChanges.AtHand changes;
  private final DriverThreads threads;

  AtHandWriter(ResolvedChanges.AtHand changes, DriverThreads threads) {
    this.changes = changes;
    this.threads = threads;
  }

  /** A place that a change replaces. */
  record Place(String file, long position) {
    /** Of the old row; null when there is none. */
    static @Nullable Place ofRow(IndexHit hit) {
      String file = hit.entry().dataFile();
      Long position = hit.entry().position();
      return file == null || position == null ? null : new Place(file, position);
    }

    /** Of the old index entry. */
    static Place ofEntry(IndexHit hit) {
      return new Place(hit.indexFile(), hit.indexPosition());
    }
  }

  RowsWritten rows(WritePlan plan) {
    Iterator<InternalRow> rows = changes.changes().stream().map(AtHandWriter::row).iterator();
    try {
      return new RowWriting(plan, TaskNumber.onDriver(0)).write(rows);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write rows of " + plan.data().name(), e);
    }
  }

  private static InternalRow row(Placed placed) {
    @Nullable Object[] values = new Object[RowWriting.ROW + 1];
    values[RowWriting.OP] = placed.change().op();
    values[RowWriting.ORDER] = placed.change().order();
    IndexHit hit = placed.found();
    if (hit != null && hit.entry().dataFile() != null) {
      values[RowWriting.OLD_FILE] = UTF8String.fromString(hit.entry().dataFile());
      values[RowWriting.OLD_POSITION] = hit.entry().position();
      values[RowWriting.OLD_ROW_ID] = hit.entry().rowId();
    }
    values[RowWriting.ROW] = placed.change().row();
    return new GenericInternalRow(values);
  }

  /** Deletes at the places that the changes replace. */
  List<FileDeletes> deletes(DeletePlan plan, Function<IndexHit, @Nullable Place> placeOf) {
    Map<String, LongStream.Builder> positions = new TreeMap<>();
    for (Placed placed : changes.changes()) {
      IndexHit hit = placed.found();
      Place place = hit == null ? null : placeOf.apply(hit);
      if (place != null) {
        positions.computeIfAbsent(place.file(), file -> LongStream.builder()).add(place.position());
      }
    }
    List<Callable<FileDeletes>> work = new ArrayList<>();
    positions.forEach(
        (file, at) -> {
          TaskNumber number = TaskNumber.onDriver(work.size());
          work.add(() -> delete(plan, number, file, at.build().sorted().toArray()));
        });
    return threads.all(work);
  }

  private static FileDeletes delete(
      DeletePlan plan, TaskNumber number, String file, long[] positions) throws IOException {
    FileDeleteWriter writer = plan.writer(number);
    return writer.delete(Objects.requireNonNull(plan.files().get(file)), positions);
  }
}
