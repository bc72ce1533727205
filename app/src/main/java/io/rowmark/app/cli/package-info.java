/** The command line: one class for each command. */
@NullMarked
package io.rowmark.app.cli;

import org.jspecify.annotations.NullMarked;
