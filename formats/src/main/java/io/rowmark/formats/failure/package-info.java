/** How a run fails: one exception, a category, and whether trying again helps. */
@NullMarked
package io.rowmark.formats.failure;

import org.jspecify.annotations.NullMarked;
