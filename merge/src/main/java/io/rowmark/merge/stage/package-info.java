/** Step 5, stage: all table changes of a batch as one set of commits. */
@NullMarked
package io.rowmark.merge.stage;

import org.jspecify.annotations.NullMarked;
