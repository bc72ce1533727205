/**
 * Types of source columns, their Iceberg types, and the exact way from a source value to a row
 * value.
 */
@NullMarked
package io.rowmark.formats.type;

import org.jspecify.annotations.NullMarked;
