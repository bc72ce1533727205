/** The index table: its columns, its settings, and what it claims to cover. */
@NullMarked
package io.rowmark.formats.index;

import org.jspecify.annotations.NullMarked;
