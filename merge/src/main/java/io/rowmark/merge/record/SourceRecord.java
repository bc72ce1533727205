package io.rowmark.merge.record;

import io.rowmark.formats.type.SourceType.StructOf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One record of an input file, before anything is known of its envelope. */
public sealed interface SourceRecord {

  /**
   * Named values, as {@link io.rowmark.formats.type.ValueDecoder} takes them.
   *
   * @param types of all values, where the file tells them; one instance for all records of one
   *     schema; null where it does not
   * @param defect what is wrong with the record if it is one of the table; null for nothing
   */
  record Fields(
      Map<String, @Nullable Object> values, @Nullable StructOf types, @Nullable Broken defect)
      implements SourceRecord {}

  /** A null. */
  record Nothing() implements SourceRecord {}

  /** A line without content. */
  record Blank() implements SourceRecord {}

  /** A record that cannot be read. */
  record Broken(String code, String reason) implements SourceRecord {}
}
