/** The ways in which Iceberg can record a deleted row. */
@NullMarked
package io.rowmark.formats.delete;

import org.jspecify.annotations.NullMarked;
