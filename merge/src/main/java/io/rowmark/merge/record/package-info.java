/** How landed files become records: one reader for each file format, knowing no envelope. */
@NullMarked
package io.rowmark.merge.record;

import org.jspecify.annotations.NullMarked;
