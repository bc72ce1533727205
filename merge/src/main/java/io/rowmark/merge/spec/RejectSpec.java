package io.rowmark.merge.spec;

/**
 * What happens to records that cannot become rows.
 *
 * @param path folder for the dead-letter files; empty text for none
 * @param maxRecords more rejects than this in a batch fail it before the commit
 * @param content whether the raw record is kept
 */
public record RejectSpec(String path, long maxRecords, Content content) {
  /** What a dead-letter record holds besides place and reason. */
  public enum Content {
    REASON_ONLY,
    RAW_RECORD
  }
}
