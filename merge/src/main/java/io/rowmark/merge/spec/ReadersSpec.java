package io.rowmark.merge.spec;

import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.Wishes;

/**
 * Who reads a table, which decides how its deletes are written.
 *
 * @param audience the declared readers
 * @param wishes what the user asks besides: a delete format, a format version, leave to upgrade
 */
public record ReadersSpec(Audience audience, Wishes wishes) {}
