package io.rowmark.merge.spec;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a topic's files belongs to a table.
 *
 * @param sourceTable name of the source table, with as many of its schema and database before it as
 *     tell it apart; empty where files hold one table each
 * @param fields names of the values of a record in files that do not name them, without those of
 *     the envelope
 * @param startSnapshot snapshot of a source table that counts as read; null for the one that the
 *     ledger knows
 */
public record TableFeed(String sourceTable, List<String> fields, @Nullable Long startSnapshot)
    implements Serializable {
  /** All records are of the table, and name their values. */
  public static final TableFeed WHOLE_TOPIC = new TableFeed("", List.of());

  public TableFeed(String sourceTable, List<String> fields) {
    this(sourceTable, fields, null);
  }

  public TableFeed {
    fields = List.copyOf(fields);
  }
}
