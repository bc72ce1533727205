/** Brings a table to what its readers were promised: format, deletes, index, contract. */
@NullMarked
package io.rowmark.merge.migrate;

import org.jspecify.annotations.NullMarked;
