package io.rowmark.formats.change;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a value is in a record: names of nested members, or places in lists counted from 0, with
 * dots between them, as in {@code source.lsn} or {@code sort_keys.0}. A single dot is the whole
 * value. A name that begins with a dollar sign looks outside the value, see {@link Scope}.
 */
public record FieldPath(Scope scope, List<String> names) implements Serializable {

  /** What the names are looked up in. */
  public enum Scope {
    /** The change itself, without what wraps it. */
    VALUE(""),
    /** {@code $record}: the record as it stands in the file, as for the offset beside a value. */
    RECORD("$record"),
    /** {@code $file}: name of the file, without its folders. */
    FILE("$file"),
    /** {@code $rank}: place of the file among the files of the batch, in arrival order. */
    RANK("$rank"),
    /** {@code $row}: place of the record in its file. */
    ROW("$row"),
    /** {@code $index}: place of the row in a record of many rows. */
    INDEX("$index");

    private final String written;

    Scope(String written) {
      this.written = written;
    }
  }

  public FieldPath {
    names = List.copyOf(names);
  }

  /** Reads the text form. */
  public static FieldPath of(String text) {
    if (text.equals(".")) {
      return new FieldPath(Scope.VALUE, List.of());
    }
    List<String> parts = List.of(text.split("\\.", -1));
    for (Scope scope : Scope.values()) {
      if (parts.get(0).equals(scope.written)) {
        return new FieldPath(scope, parts.subList(1, parts.size()));
      }
    }
    return new FieldPath(Scope.VALUE, parts);
  }

  /** The value in a record; null where it is null or missing. */
  public @Nullable Object in(RecordView record) {
    return switch (scope) {
      case VALUE -> in(record.value());
      case RECORD -> in(record.whole());
      case FILE -> record.file();
      case RANK -> record.rank();
      case ROW -> record.place();
      case INDEX -> record.index();
    };
  }

  /** The value below another one, whatever the scope; null where it is null or missing. */
  public @Nullable Object in(@Nullable Object value) {
    Object at = value;
    for (int i = 0; i < names.size() && at != null; i++) {
      at = member(at, names.get(i));
    }
    return at;
  }

  /** Whether the member is there, even if it is null. */
  public boolean isIn(RecordView record) {
    if (in(record) != null) {
      return true;
    }
    if (names.isEmpty() || (scope != Scope.VALUE && scope != Scope.RECORD)) {
      return false;
    }
    FieldPath parent = new FieldPath(scope, names.subList(0, names.size() - 1));
    return parent.in(record) instanceof Map<?, ?> map
        && map.containsKey(names.get(names.size() - 1));
  }

  /** Whether this is the whole value. */
  public boolean isWhole() {
    return scope == Scope.VALUE && names.isEmpty();
  }

  private static @Nullable Object member(Object value, String name) {
    if (value instanceof Map<?, ?> map) {
      return map.get(name);
    } else if (value instanceof List<?> list && name.matches("\\d{1,9}")) {
      int index = Integer.parseInt(name);
      return index < list.size() ? list.get(index) : null;
    }
    return null;
  }

  @Override
  public String toString() {
    if (isWhole()) {
      return ".";
    }
    String joined = String.join(".", names);
    return scope == Scope.VALUE
        ? joined
        : joined.isEmpty() ? scope.written : scope.written + "." + joined;
  }
}
