/** What a batch does to each table: create it, evolve it, build its index. */
@NullMarked
package io.rowmark.merge.plan;

import org.jspecify.annotations.NullMarked;
