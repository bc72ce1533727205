/** One batch with its progress and its report, as commands and the demo run it. */
@NullMarked
package io.rowmark.app.run;

import org.jspecify.annotations.NullMarked;
