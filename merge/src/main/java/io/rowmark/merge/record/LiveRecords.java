package io.rowmark.merge.record;

import io.rowmark.formats.position.LiveFile;
import java.util.Objects;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.DeleteFilter;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.DeleteCounter;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.types.Types;

/** Leaves out deleted rows. Equality deletes may name columns that the table has dropped since. */
final class LiveRecords extends DeleteFilter<Record> {
  private final EncryptingFileIO io;
  private final InternalRecordWrapper struct;

  /**
   * @param projection columns to read, the position among them
   */
  LiveRecords(Table table, LiveFile live, Schema projection) {
    super(
        live.path(),
        live.deletes(),
        id -> field(table, id),
        projection,
        new DeleteCounter(),
        true /* the position is read */);
    this.io = EncryptingFileIO.combine(table.io(), table.encryption());
    this.struct = new InternalRecordWrapper(requiredSchema().asStruct());
  }

  private static Types.NestedField field(Table table, int id) {
    Types.NestedField present = table.schema().findField(id);
    return present != null
        ? present
        : table.schemas().values().stream()
            .map(schema -> schema.findField(id))
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow(
                () -> new IllegalStateException("No schema of the table has the field " + id));
  }

  @Override
  protected StructLike asStructLike(Record row) {
    return struct.wrap(row);
  }

  @Override
  protected InputFile getInputFile(String location) {
    return io.newInputFile(location);
  }

  @Override
  protected InputFile loadInputFile(DeleteFile delete) {
    return io.newInputFile(delete);
  }
}
