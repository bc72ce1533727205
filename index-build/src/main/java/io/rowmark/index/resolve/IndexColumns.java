package io.rowmark.index.resolve;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.key.KeySpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Where one index file has the columns of an index. They are found by field id, so that renamed
 * columns are (Iceberg table spec, "Column Projection").
 *
 * @param keys in key order
 * @param places columns of {@link IndexLayout#LOCATION_COLUMNS} in this order; null where the file
 *     has none, whose values then are null
 */
record IndexColumns(List<StoredKey> keys, List<@Nullable ColumnDescriptor> places) {

  /**
   * @param index schema of the index table; the key columns come first
   * @param key with the types as they are now
   * @param file path for the message
   * @throws RowmarkException TABLE_STATE when a key column is missing or of another type
   */
  static IndexColumns of(MessageType stored, Schema index, KeySpec key, String file) {
    Map<Integer, ColumnDescriptor> byId = new HashMap<>();
    for (Type field : stored.getFields()) {
      if (field.getId() != null && field.isPrimitive()) {
        byId.put(
            field.getId().intValue(), stored.getColumnDescription(new String[] {field.getName()}));
      }
    }
    List<StoredKey> keys = new ArrayList<>();
    for (int i = 0; i < key.columns().size(); i++) {
      ColumnDescriptor column = byId.get(index.columns().get(i).fieldId());
      if (column == null) {
        throw RowmarkException.tableState(
            "Index file '%s' lacks the key column '%s'. Run 'rowmark index build'."
                .formatted(file, key.columns().get(i).name()));
      }
      keys.add(StoredKey.of(key.columns().get(i), column, file));
    }
    List<@Nullable ColumnDescriptor> places = new ArrayList<>();
    for (String name : IndexLayout.LOCATION_COLUMNS) {
      Types.NestedField field = index.findField(name);
      places.add(field == null ? null : byId.get(field.fieldId()));
    }
    return new IndexColumns(List.copyOf(keys), places);
  }

  List<ColumnDescriptor> keyDescriptors() {
    return keys.stream().map(StoredKey::column).toList();
  }
}
