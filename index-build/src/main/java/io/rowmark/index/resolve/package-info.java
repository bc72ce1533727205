/**
 * Finding the entries of many keys by reading only the pages of index files that can hold them. The
 * same code runs on the driver and inside tasks; only {@link io.rowmark.index.resolve.SparkKeys}
 * knows Spark's rows.
 */
@NullMarked
package io.rowmark.index.resolve;

import org.jspecify.annotations.NullMarked;
