/** One batch, from landed files to committed tables: start at BatchPipeline. */
@NullMarked
package io.rowmark.merge;

import org.jspecify.annotations.NullMarked;
