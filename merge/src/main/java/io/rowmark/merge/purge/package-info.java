/** Takes keys out of a table and its index for good, and proves that they are gone. */
@NullMarked
package io.rowmark.merge.purge;

import org.jspecify.annotations.NullMarked;
