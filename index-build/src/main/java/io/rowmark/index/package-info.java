/** The index of a data table: which table it is, and whether it may be used. */
@NullMarked
package io.rowmark.index;

import org.jspecify.annotations.NullMarked;
