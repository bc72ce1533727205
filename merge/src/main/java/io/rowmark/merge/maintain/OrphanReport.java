package io.rowmark.merge.maintain;

import java.time.Instant;
import java.util.List;

/**
 * Files below a table's location that no snapshot names. They are listed and never removed.
 *
 * @param unchangedSince younger files are not looked at: they may belong to a commit on its way
 */
public record OrphanReport(String table, Instant unchangedSince, List<String> files, long millis) {
  public OrphanReport {
    files = List.copyOf(files);
  }
}
