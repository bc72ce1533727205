/** What the files of a table cost their readers, as manifests tell. */
@NullMarked
package io.rowmark.formats.upkeep;

import org.jspecify.annotations.NullMarked;
