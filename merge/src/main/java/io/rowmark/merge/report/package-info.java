/** What a run did or why it failed, as values. */
@NullMarked
package io.rowmark.merge.report;

import org.jspecify.annotations.NullMarked;
