package io.rowmark.index.reconcile;

/** How an attempt to reconcile ended. */
public sealed interface Reconciliation {

  /** The index covers the table as it is; nothing was done. */
  record Current() implements Reconciliation {}

  /** The index was brought up to date. */
  record CaughtUp(ReconcileReport report) implements Reconciliation {}

  /**
   * File sets cannot tell what to do; nothing was done.
   *
   * @param reason part of a sentence whose subject is the index: "it belongs to another table …"
   */
  record RebuildNeeded(String reason) implements Reconciliation {}
}
