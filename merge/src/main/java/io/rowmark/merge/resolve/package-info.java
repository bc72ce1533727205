/** Step 3, resolve: where the row of each changed key is. */
@NullMarked
package io.rowmark.merge.resolve;

import org.jspecify.annotations.NullMarked;
