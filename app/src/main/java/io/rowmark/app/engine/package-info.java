/** What the commands ask of the rest of Rowmark. */
@NullMarked
package io.rowmark.app.engine;

import org.jspecify.annotations.NullMarked;
