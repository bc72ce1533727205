/** The demo on captured data, from an empty folder to tables that any engine can read. */
@NullMarked
package io.rowmark.app.quickstart;

import org.jspecify.annotations.NullMarked;
