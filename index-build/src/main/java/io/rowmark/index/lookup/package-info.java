/** Looking at single entries of an index. */
@NullMarked
package io.rowmark.index.lookup;

import org.jspecify.annotations.NullMarked;
