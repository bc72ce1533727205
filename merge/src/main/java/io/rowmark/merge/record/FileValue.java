package io.rowmark.merge.record;

import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceType.StructOf;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the values of one part of a file's schema are, and how they become the values that {@link
 * io.rowmark.formats.type.ValueDecoder} takes.
 *
 * @param read from the format's own value; never given null
 */
public record FileValue(SourceType type, Function<Object, @Nullable Object> read) {

  /** The types of a whole record. */
  public StructOf struct() {
    return type instanceof StructOf struct ? struct : new StructOf(java.util.List.of());
  }

  public @Nullable Object apply(@Nullable Object value) {
    return value == null ? null : read.apply(value);
  }
}
