/** Takes keys out of every file of a table and of its index, and proves that they are gone. */
@NullMarked
package io.rowmark.index.purge;

import org.jspecify.annotations.NullMarked;
