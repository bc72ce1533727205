/** Turns deletes of one kind into another, row for row. */
@NullMarked
package io.rowmark.index.convert;

import org.jspecify.annotations.NullMarked;
