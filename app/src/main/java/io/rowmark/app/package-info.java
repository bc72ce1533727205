/** Rowmark's application. */
@NullMarked
package io.rowmark.app;

import org.jspecify.annotations.NullMarked;
