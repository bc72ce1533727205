package io.rowmark.merge.probe;

/** What is tried on a catalog, in the order of the report. */
public enum Experiment {
  CREATE_V2("create a table of format version 2"),
  CREATE_V3("create a table of format version 3"),
  POSITION_DELETES("commit position deletes"),
  EQUALITY_DELETES("commit equality deletes"),
  DELETION_VECTORS("commit a deletion vector"),
  SNAPSHOT_PROPERTIES("keep properties of a snapshot"),
  TABLE_PROPERTIES("keep properties of a table"),
  STALE_COMMIT("refuse the second of two commits made from one base"),
  STALE_COMMIT_ON_EMPTY_TABLE("the same, on a table without a snapshot"),
  ENDPOINT("offer the multi-table commit"),
  MULTI_TABLE_COMMIT("commit to two tables at once"),
  STALE_MEMBER("with one stale table, change neither"),
  CONCURRENT_COMMITS("under concurrent writers, change both or neither"),
  STAGED_CREATE("create a table in a multi-table commit");

  private final String tried;

  Experiment(String tried) {
    this.tried = tried;
  }

  /** What was tried, as the rest of "the catalog can …". */
  public String tried() {
    return tried;
  }
}
