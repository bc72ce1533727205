/** Rewriting data files so that reading them costs less, every row and its identity kept. */
@NullMarked
package io.rowmark.index.rewrite;

import org.jspecify.annotations.NullMarked;
