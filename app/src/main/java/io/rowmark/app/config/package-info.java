/** Configuration: files, overrides and defaults, read once into records. */
@NullMarked
package io.rowmark.app.config;

import org.jspecify.annotations.NullMarked;
