/** Comparing an index with its data table, both ways. */
@NullMarked
package io.rowmark.index.verify;

import org.jspecify.annotations.NullMarked;
