/** Which engines read a table rightly as it lies, and what decides it. */
@NullMarked
package io.rowmark.formats.verdict;

import org.jspecify.annotations.NullMarked;
