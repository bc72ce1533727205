/** What a pipeline shall do, as plain values; read from configuration by the app. */
@NullMarked
package io.rowmark.merge.spec;

import org.jspecify.annotations.NullMarked;
