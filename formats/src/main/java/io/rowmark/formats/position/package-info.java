/** Row positions: the live data files they point into and the deletes written for them. */
@NullMarked
package io.rowmark.formats.position;

import org.jspecify.annotations.NullMarked;
