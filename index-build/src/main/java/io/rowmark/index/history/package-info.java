/** Where the row of a key was, as the retained snapshots of an index tell. */
@NullMarked
package io.rowmark.index.history;

import org.jspecify.annotations.NullMarked;
