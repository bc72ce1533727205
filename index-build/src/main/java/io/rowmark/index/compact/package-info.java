/** Keeps an index at few sorted files, at a cost that is spread over the batches. */
@NullMarked
package io.rowmark.index.compact;

import org.jspecify.annotations.NullMarked;
