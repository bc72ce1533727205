/** Step 2, normalize: envelopes to typed changes, and one net change per key. */
@NullMarked
package io.rowmark.merge.normalize;

import org.jspecify.annotations.NullMarked;
