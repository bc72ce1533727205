/** Change events as data: operations, their order, and the net change of a key. */
@NullMarked
package io.rowmark.formats.change;

import org.jspecify.annotations.NullMarked;
