/** Mending the entries of an index that are wrong, and no others. */
@NullMarked
package io.rowmark.index.repair;

import org.jspecify.annotations.NullMarked;
