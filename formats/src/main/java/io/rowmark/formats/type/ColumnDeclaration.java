package io.rowmark.formats.type;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What the user says of a column whose events do not carry their own type, or whose type shall be
 * read differently.
 *
 * @param type the source type; null to take it from the event
 * @param defaultValue value of rows that were written before the column existed, as text; null for
 *     none
 */
public record ColumnDeclaration(@Nullable SourceType type, @Nullable String defaultValue)
    implements Serializable {}
