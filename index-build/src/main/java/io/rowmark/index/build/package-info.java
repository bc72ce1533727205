/** Building an index from everything that is in its data table. */
@NullMarked
package io.rowmark.index.build;

import org.jspecify.annotations.NullMarked;
