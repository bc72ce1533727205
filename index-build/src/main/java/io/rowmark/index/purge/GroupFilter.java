package io.rowmark.index.purge;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/**
 * Few keys as a condition by which readers leave out row groups: by their bounds, their
 * dictionaries and their bloom filters.
 */
final class GroupFilter {
  /** Readers compare each value with each row group. */
  private static final int MOST_VALUES = 200;

  private GroupFilter() {}

  /**
   * A condition that every row with one of the keys meets; always true where none is safe. A file
   * without bounds of a column may lack the column, and readers take its rows for null then,
   * whatever default the column has.
   *
   * @param names the columns under the names that the reader is given
   */
  static Expression of(WantedKeys wanted, Schema names, ContentFile<?> file) {
    Expression all = Expressions.alwaysTrue();
    SortedKeys keys = wanted.keys();
    Map<Integer, ByteBuffer> bounds = file.lowerBounds();
    if (bounds == null || keys.size() > MOST_VALUES) {
      return all;
    }
    for (int column = 0; column < keys.width(); column++) {
      KeySpec.KeyColumn key = wanted.key().columns().get(column);
      if (bounds.containsKey(key.fieldId())) {
        Set<Object> values = new TreeSet<>();
        for (int ordinal = 0; ordinal < keys.size(); ordinal++) {
          Object value = keys.value(ordinal, column);
          switch (key.type().typeId()) {
            case LONG -> values.add(value);
            case INTEGER, DATE -> values.add(((Long) value).intValue());
            case STRING -> values.add(new String((byte[]) value, StandardCharsets.UTF_8));
            default -> {
              // times, decimals and bytes are compared in the record alone
            }
          }
        }
        if (!values.isEmpty()) {
          String name = names.findColumnName(key.fieldId());
          all = Expressions.and(all, Expressions.in(name, values));
        }
      }
    }
    return all;
  }
}
