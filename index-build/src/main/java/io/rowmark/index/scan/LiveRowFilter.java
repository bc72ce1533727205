package io.rowmark.index.scan;

import io.rowmark.index.write.RowStruct;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.DeleteFilter;
import org.apache.iceberg.deletes.DeleteCounter;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Leaves out deleted rows as Iceberg's own Spark reader does, whose filter is not public. Columns
 * that only equality deletes need come behind those asked for.
 */
final class LiveRowFilter extends DeleteFilter<InternalRow> {
  private final EncryptingFileIO io;
  private final RowStruct struct;

  LiveRowFilter(FileReadPlan plan, FileScanTask scan) {
    super(
        scan.file().location(),
        scan.deletes(),
        plan::field,
        plan.projection(),
        new DeleteCounter(),
        true /* the position is read */);
    this.io = EncryptingFileIO.combine(plan.table().io(), plan.table().encryption());
    this.struct = new RowStruct(requiredSchema());
  }

  @Override
  protected StructLike asStructLike(InternalRow row) {
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
