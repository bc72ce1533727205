/** Brings inputs of the ledger again, where tables lost what they had of them. */
@NullMarked
package io.rowmark.merge.replay;

import org.jspecify.annotations.NullMarked;
