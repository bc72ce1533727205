/** Step 1, read: which input files are new, and in which order they arrived. */
@NullMarked
package io.rowmark.merge.source;

import org.jspecify.annotations.NullMarked;
