/** Which inputs went in, kept in an Iceberg table of the pipeline. */
@NullMarked
package io.rowmark.merge.ledger;

import org.jspecify.annotations.NullMarked;
