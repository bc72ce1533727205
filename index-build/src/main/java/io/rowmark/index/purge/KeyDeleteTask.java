package io.rowmark.index.purge;

import io.rowmark.index.write.TaskNumber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * Reads equality delete files whose columns include the whole key; yields serialized {@link
 * RewrittenDeletes} of those that hold one of the keys.
 */
final class KeyDeleteTask implements FlatMapFunction<Iterator<DeleteFile>, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<PurgePlan> shipped;
  private final Effect effect;

  /** What is done with a file that holds a key. */
  enum Effect {
    FOUND,
    /** Its other records are written to a new file. */
    WRITTEN_AGAIN
  }

  KeyDeleteTask(Broadcast<PurgePlan> shipped, Effect effect) {
    this.shipped = shipped;
    this.effect = effect;
  }

  @Override
  public Iterator<byte[]> call(Iterator<DeleteFile> deletes) {
    PurgePlan plan = shipped.value();
    List<byte[]> results = new ArrayList<>();
    while (deletes.hasNext()) {
      DeleteFile delete = deletes.next();
      try {
        Values values = read(plan, delete);
        if (values.purged > 0) {
          DeleteFile replacement =
              effect == Effect.FOUND || values.kept.isEmpty() ? null : write(plan, delete, values);
          results.add(
              SerializationUtil.serializeToBytes(
                  new RewrittenDeletes(delete.location(), replacement, values.purged)));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read delete file " + delete.location(), e);
      }
    }
    return results.iterator();
  }

  private record Values(Schema columns, List<Record> kept, long purged) {}

  /** Readers keep the deletes of a file in memory, and so may this. */
  private Values read(PurgePlan plan, DeleteFile delete) throws IOException {
    Schema every = plan.everyColumn();
    List<NestedField> fields = new ArrayList<>();
    delete.equalityFieldIds().forEach(id -> fields.add(every.findField(id)));
    Schema columns = new Schema(fields);
    WantedKeys.Matcher matcher = plan.keys().matcher(columns);
    List<Record> kept = new ArrayList<>();
    long purged = 0;
    try (CloseableIterable<Record> records = plan.records().values(delete, columns)) {
      for (Record record : records) {
        if (matcher.matches(record)) {
          purged++;
        } else if (effect == Effect.WRITTEN_AGAIN) {
          kept.add(record);
        }
      }
    }
    return new Values(columns, kept, purged);
  }

  private static @Nullable DeleteFile write(PurgePlan plan, DeleteFile delete, Values values)
      throws IOException {
    Table table = plan.table();
    PartitionSpec spec = Objects.requireNonNull(table.specs().get(delete.specId()));
    TaskNumber task = TaskNumber.current();
    OutputFileFactory outputs =
        OutputFileFactory.builderFor(table, task.partition(), task.attempt())
            .operationId(
                plan.operationId() + "-" + Integer.toHexString(delete.location().hashCode()))
            .format(delete.format())
            .suffix("deletes")
            .build();
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(delete.format())
            .equalityFieldIds(
                delete.equalityFieldIds().stream().mapToInt(Integer::intValue).toArray())
            .equalityDeleteRowSchema(values.columns())
            .build()
            .newEqualityDeleteWriter(
                outputs.newOutputFile(spec, delete.partition()), spec, delete.partition());
    try (writer) {
      values.kept().forEach(writer::write);
    }
    return writer.toDeleteFile();
  }
}
