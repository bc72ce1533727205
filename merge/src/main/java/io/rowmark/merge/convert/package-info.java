/** Converts the deletes of existing tables, whoever wrote them. */
@NullMarked
package io.rowmark.merge.convert;

import org.jspecify.annotations.NullMarked;
