/** Step 6, commit: one multi-table commit, or the ordered protocol. */
@NullMarked
package io.rowmark.merge.commit;

import org.jspecify.annotations.NullMarked;
