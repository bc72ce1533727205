/** Rows that have the key of another row: finding them, and deleting all but the newest. */
@NullMarked
package io.rowmark.index.duplicates;

import org.jspecify.annotations.NullMarked;
