/** Keeps tables, their indexes and the ledger cheap to read, without a batch losing its index. */
@NullMarked
package io.rowmark.merge.maintain;

import org.jspecify.annotations.NullMarked;
