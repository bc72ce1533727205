package io.rowmark.index.reconcile;

/**
 * One commit of a reconcile.
 *
 * @param number of the commit in its run, from 1
 * @param left commits that are still to come
 * @param indexSnapshotId the commit to the index
 * @param filesRead data files whose keys were read for it
 */
public record ReconcileStep(int number, int left, long indexSnapshotId, int filesRead) {}
