package io.rowmark.formats.verdict;

import io.rowmark.formats.capability.Evidence;
import org.jspecify.annotations.Nullable;

/**
 * What a verdict rests on.
 *
 * @param kind what lies in the table, such as {@code "equality deletes, global"}
 * @param file one file of this kind, the first in alphabetical order; null where no one file
 *     decides
 * @param files how many there are
 * @param reason a sentence that goes on after the reader's name, without a full stop
 * @param evidence where the reader's ability is stated; null where the ground lies in the table
 *     alone
 */
public record Ground(
    String kind, @Nullable String file, long files, String reason, @Nullable Evidence evidence) {}
