package io.rowmark.index.publish;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.FileDeleteWriter;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.FileDeletes.Fate;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.convert.DeadRows;
import io.rowmark.index.write.TaskNumber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;

/** Writes the target's deletes of some data files; yields serialized {@link FileDeletes}. */
final class PublishTask implements FlatMapFunction<Iterator<PublishItem>, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<Table> shared;
  private final String schemaJson;
  private final DeleteFormat format;
  private final String operationId;

  /**
   * @param schemaJson every column that the table ever had
   */
  PublishTask(Broadcast<Table> shared, String schemaJson, DeleteFormat format, String operationId) {
    this.shared = shared;
    this.schemaJson = schemaJson;
    this.format = format;
    this.operationId = operationId;
  }

  @Override
  public Iterator<byte[]> call(Iterator<PublishItem> items) {
    Table table = shared.value();
    Work work =
        new Work(
            TaskNumber.current().deleteWriter(table, format, operationId),
            new DeadRows(table, SchemaParser.fromJson(schemaJson)),
            new BaseDeleteLoader(
                file ->
                    EncryptingFileIO.combine(table.io(), table.encryption()).newInputFile(file)));
    List<byte[]> results = new ArrayList<>();
    while (items.hasNext()) {
      PublishItem item = items.next();
      try {
        results.add(SerializationUtil.serializeToBytes(work.resolve(item)));
      } catch (IOException e) {
        throw new UncheckedIOException(
            "Cannot work out the deletes of data file " + item.source().path(), e);
      }
    }
    return results.iterator();
  }

  private record Work(FileDeleteWriter writer, DeadRows values, BaseDeleteLoader loader) {

    FileDeletes resolve(PublishItem item) throws IOException {
      LiveFile source = item.source();
      long[] dead = dead(source);
      PositionDeleteIndex shown = positions(item.existing(), source.path());
      long stillDead = Arrays.stream(dead).filter(shown::isDeleted).count();
      if (stillDead == (shown.isEmpty() ? 0 : shown.cardinality())) {
        long[] more = Arrays.stream(dead).filter(at -> !shown.isDeleted(at)).toArray();
        return more.length == 0
            ? unchanged(source)
            : writer.delete(new LiveFile(source.file(), item.existing()), more);
      }
      return replaced(item, dead);
    }

    /** Rows came back, by a rollback: what the target has for this file is of no more use. */
    private FileDeletes replaced(PublishItem item, long[] dead) throws IOException {
      for (DeleteFile delete : item.existing()) {
        if (!ContentFileUtil.isFileScoped(delete)) {
          throw RowmarkException.tableState(
              "Deleted rows of data file '%s' came back on the source branch, and the target's delete file '%s' names rows of other data files too. Rewrite the target's position delete files (rewrite_position_delete_files), or set the target branch back to a snapshot that both branches share."
                  .formatted(item.source().path(), delete.location()));
        }
      }
      LiveFile bare = new LiveFile(item.source().file(), List.of());
      FileDeletes fresh = dead.length == 0 ? unchanged(bare) : writer.delete(bare, dead);
      return new FileDeletes(
          fresh.dataFile(),
          fresh.fate(),
          fresh.added(),
          item.existing(),
          fresh.newlyDeleted(),
          fresh.deletedInAll());
    }

    private static FileDeletes unchanged(LiveFile live) {
      return new FileDeletes(live.path(), Fate.MASKED, List.of(), List.of(), 0, 0);
    }

    private long[] dead(LiveFile source) throws IOException {
      LongStream.Builder dead = LongStream.builder();
      positions(source.positionalDeletes(), source.path()).forEach(dead::add);
      Arrays.stream(values.byValue(source)).forEach(dead::add);
      return dead.build().sorted().toArray();
    }

    private PositionDeleteIndex positions(List<DeleteFile> deletes, String path) {
      return deletes.isEmpty()
          ? PositionDeleteIndex.empty()
          : loader.loadPositionDeletes(deletes, path);
    }
  }
}
