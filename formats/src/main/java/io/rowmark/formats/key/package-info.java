/** Key columns: which they are, which types they may have, and how they are told apart. */
@NullMarked
package io.rowmark.formats.key;

import org.jspecify.annotations.NullMarked;
