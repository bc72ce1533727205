package io.rowmark.merge.plan;

/** A table of a refused batch, looked at again. */
public sealed interface Reopened {

  /**
   * Files that were written for it before fit it as it is now, as far as they do not depend on its
   * rows.
   */
  record Fitting(OpenTable table) implements Reopened {}

  /**
   * They do not.
   *
   * @param reason part of a sentence whose subject is the table: "it has another partition spec"
   */
  record Changed(String reason) implements Reopened {}
}
