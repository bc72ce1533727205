/** The Spark session and the catalog, made from the same configuration. */
@NullMarked
package io.rowmark.app.spark;

import org.jspecify.annotations.NullMarked;
