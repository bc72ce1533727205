package io.rowmark.formats.change;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A question about a record, asked to tell snapshot reads, deletes and control records. */
public sealed interface RecordTest extends Serializable {

  /** Whether it is so. */
  boolean holds(RecordView record);

  /** All these members are there, be they null or not. */
  record Has(List<FieldPath> paths) implements RecordTest {
    public Has {
      paths = List.copyOf(paths);
    }

    @Override
    public boolean holds(RecordView record) {
      for (FieldPath path : paths) {
        if (!path.isIn(record)) {
          return false;
        }
      }
      return true;
    }
  }

  /** The value has these members and no others. */
  record Only(Set<String> names) implements RecordTest {
    public Only {
      names = Set.copyOf(names);
    }

    @Override
    public boolean holds(RecordView record) {
      return record.value().size() == names.size() && record.value().keySet().equals(names);
    }
  }

  /** The value, as text, is one of these; null and missing values are none. */
  record Is(FieldPath path, Set<String> values) implements RecordTest {
    public Is {
      values = Set.copyOf(values);
    }

    @Override
    public boolean holds(RecordView record) {
      Object value = path.in(record);
      return value != null && values.contains(value.toString());
    }
  }

  /** The value is there, not null, and as text none of these. */
  record IsNot(FieldPath path, Set<String> values) implements RecordTest {
    public IsNot {
      values = Set.copyOf(values);
    }

    @Override
    public boolean holds(RecordView record) {
      Object value = path.in(record);
      return value != null && !values.contains(value.toString());
    }
  }

  /** The value, as text, matches as a whole. */
  record Matches(FieldPath path, Pattern pattern) implements RecordTest {
    @Override
    public boolean holds(RecordView record) {
      Object value = path.in(record);
      return value != null && pattern.matcher(value.toString()).matches();
    }
  }
}
