/**
 * What readers can read and catalogs accept: dated, sourced data, and the names by which users call
 * them. Data about other products; nothing here is a rule of Rowmark.
 */
@NullMarked
package io.rowmark.formats.capability;

import org.jspecify.annotations.NullMarked;
