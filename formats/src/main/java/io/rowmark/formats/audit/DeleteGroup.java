package io.rowmark.formats.audit;

import io.rowmark.formats.delete.DeleteFormat;

/**
 * Delete files of one kind, spec and scope.
 *
 * @param specId partition spec under which they were written
 * @param partitions in how many partitions of that spec they lie
 */
public record DeleteGroup(
    DeleteFormat kind, int specId, DeleteScope scope, long partitions, FileTally tally) {}
