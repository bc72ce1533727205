/** Ends batches where the source has a consistent state: between its transactions. */
@NullMarked
package io.rowmark.merge.cut;

import org.jspecify.annotations.NullMarked;
