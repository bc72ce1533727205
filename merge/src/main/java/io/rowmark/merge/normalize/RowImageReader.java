package io.rowmark.merge.normalize;

import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.change.RecordView;
import io.rowmark.formats.change.RowImages;
import io.rowmark.formats.change.RowImages.Count;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes the columns out of a row as it stands in a record, and the key that the row had before. */
final class RowImageReader {
  private final RowImages images;
  private final @Nullable String missingFlag;
  private final List<String> key;

  RowImageReader(EnvelopeLayout layout, List<String> key) {
    this.images = layout.images();
    this.missingFlag = layout.values().missingFlagSuffix();
    this.key = key;
  }

  /** The row without what is no column; values flagged as missing are left out. */
  Map<String, @Nullable Object> columns(Map<String, @Nullable Object> row) {
    if (images.exclude().isEmpty() && missingFlag == null) {
      return row;
    }
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    row.forEach(
        (name, value) -> {
          if (!images.isColumn(name) || isFlag(name, row)) {
            return;
          }
          Object flag = missingFlag == null ? null : row.get(name + missingFlag);
          boolean missing = flag != null && flag.toString().equals("true");
          columns.put(name, missing ? LeftOut.VALUE : value);
        });
    return columns;
  }

  private boolean isFlag(String name, Map<String, @Nullable Object> row) {
    return missingFlag != null
        && name.endsWith(missingFlag)
        && row.containsKey(name.substring(0, name.length() - missingFlag.length()));
  }

  /** The key that the row had before an update; null when it is the same. */
  @Nullable Map<String, @Nullable Object> movedFrom(
      Map<String, @Nullable Object> row, RecordView record) {
    FieldPath path = images.previous();
    if (path == null && images.previousPrefix() == null) {
      return null;
    }
    Object replaced = path == null ? null : path.in(record);
    if (images.count() == Count.MANY && replaced instanceof List<?> list) {
      replaced = record.index() < list.size() ? list.get(record.index()) : null;
    }
    Map<String, @Nullable Object> before = new LinkedHashMap<>();
    boolean moved = false;
    for (String column : key) {
      Object old = old(column, row, replaced);
      Object now = row.get(column);
      moved |= old != null && !Objects.equals(old, now);
      before.put(column, old == null ? now : old);
    }
    return moved ? before : null;
  }

  private @Nullable Object old(
      String column, Map<String, @Nullable Object> row, @Nullable Object replaced) {
    if (images.previousPrefix() != null) {
      return row.get(images.previousPrefix() + column);
    }
    return replaced instanceof Map<?, ?> map ? map.get(column) : null;
  }
}
