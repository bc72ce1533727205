/** What a run shows: lines on the console and a JSON file. */
@NullMarked
package io.rowmark.app.report;

import org.jspecify.annotations.NullMarked;
