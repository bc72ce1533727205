/** Writing rows through Iceberg's own writers inside Spark tasks, with every position known. */
@NullMarked
package io.rowmark.index.write;

import org.jspecify.annotations.NullMarked;
