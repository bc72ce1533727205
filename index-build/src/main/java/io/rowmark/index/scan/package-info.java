/** Rows of a data table and entries of its index as Spark reads them, side by side. */
@NullMarked
package io.rowmark.index.scan;

import org.jspecify.annotations.NullMarked;
