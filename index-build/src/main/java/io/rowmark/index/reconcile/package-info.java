/** Bringing an index up to date from the files that changed in its data table. */
@NullMarked
package io.rowmark.index.reconcile;

import org.jspecify.annotations.NullMarked;
