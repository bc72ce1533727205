package io.rowmark.index.purge;

import io.rowmark.formats.key.KeyBounds;
import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.key.KeyRange;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are to be gone, and the columns in which one table holds them.
 *
 * @param key the key columns of that table: of a data table, or the first ones of an index
 */
public record WantedKeys(SortedKeys keys, KeySpec key) implements Serializable {

  /** The same keys in the columns of an index, whose first columns are the key. */
  public WantedKeys ofIndex(Table index) {
    List<KeySpec.KeyColumn> columns = new ArrayList<>();
    for (Types.NestedField field : index.schema().columns().subList(0, key.columns().size())) {
      columns.add(new KeySpec.KeyColumn(field.fieldId(), field.name(), field.type()));
    }
    return new WantedKeys(keys, new KeySpec(columns));
  }

  /** The columns whose bounds tell which files can hold a key. */
  public Set<Integer> fieldIds() {
    return key.columns().stream().map(KeySpec.KeyColumn::fieldId).collect(Collectors.toSet());
  }

  /** Whether a file can hold one of the keys, as far as its bounds in the manifest tell. */
  public boolean mayBeIn(ContentFile<?> file) {
    KeyBounds bounds = new FileBounds(key, file);
    KeyRange range = keys.within(keys.all(), bounds);
    if (keys.width() == 1) {
      return !range.isEmpty();
    }
    // behind the first column nothing is known of the order, but each column has bounds of its own
    for (int ordinal = range.from(); ordinal < range.to(); ordinal++) {
      if (fits(ordinal, bounds)) {
        return true;
      }
    }
    return false;
  }

  private boolean fits(int ordinal, KeyBounds bounds) {
    for (int column = 0; column < keys.width(); column++) {
      Object lower = bounds.lower(column);
      Object upper = bounds.upper(column);
      if ((lower != null && compare(lower, ordinal, column) > 0)
          || (upper != null && compare(upper, ordinal, column) < 0)) {
        return false;
      }
    }
    return true;
  }

  private int compare(Object value, int ordinal, int column) {
    return value instanceof Long number
        ? keys.compareLong(number, ordinal, column)
        : keys.compareBytes((byte[]) value, ordinal, column);
  }

  /** The key columns as a table has them now. */
  List<Types.NestedField> columns(Schema schema) {
    return key.columns().stream().map(column -> schema.findField(column.fieldId())).toList();
  }

  /**
   * Compares records with the keys; for one thread.
   *
   * @param records columns of the records, those of the key among them
   */
  Matcher matcher(Schema records) {
    return new Matcher(this, records);
  }

  /** Tells whether a record has one of the keys. */
  static final class Matcher {
    private final WantedKeys wanted;
    private final InternalRecordWrapper wrapper;
    private final int[] ordinals;
    private final Object[] values;

    private Matcher(WantedKeys wanted, Schema records) {
      this.wanted = wanted;
      this.wrapper = new InternalRecordWrapper(records.asStruct());
      List<Integer> ids = records.columns().stream().map(Types.NestedField::fieldId).toList();
      this.ordinals =
          wanted.key.columns().stream().mapToInt(column -> ids.indexOf(column.fieldId())).toArray();
      this.values = new Object[ordinals.length];
    }

    boolean matches(Record record) {
      wrapper.wrap(record);
      for (int column = 0; column < ordinals.length; column++) {
        @Nullable Object value = wrapper.get(ordinals[column], Object.class);
        if (value == null) {
          return false;
        }
        values[column] = KeyForm.encode(wanted.key.columns().get(column).type(), value);
      }
      SortedKeys keys = wanted.keys;
      int at = keys.firstAtLeast(keys.all(), this::compare);
      return at < keys.size() && compare(at) == 0;
    }

    private int compare(int ordinal) {
      for (int column = 0; column < values.length; column++) {
        int order = wanted.compare(values[column], ordinal, column);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
  }
}
