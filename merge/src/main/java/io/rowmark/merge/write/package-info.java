/** Step 4, write: data files, index runs and deletes. */
@NullMarked
package io.rowmark.merge.write;

import org.jspecify.annotations.NullMarked;
