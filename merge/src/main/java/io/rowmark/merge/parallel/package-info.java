/** Work that the driver does itself, side by side. */
@NullMarked
package io.rowmark.merge.parallel;

import org.jspecify.annotations.NullMarked;
