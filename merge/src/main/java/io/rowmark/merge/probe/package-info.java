/** Learns by trying, on scratch tables, what a catalog really does with commits and deletes. */
@NullMarked
package io.rowmark.merge.probe;

import org.jspecify.annotations.NullMarked;
