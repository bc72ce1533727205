package io.rowmark.merge.spec;

import java.io.Serializable;
import java.util.List;

/**
 * What of a topic's files belongs to a table.
 *
 * @param sourceTable name of the source table, with as many of its schema and database before it as
 *     tell it apart; empty where files hold one table each
 * @param fields names of the values of a record in files that do not name them, without those of
 *     the envelope
 */
public record TableFeed(String sourceTable, List<String> fields) implements Serializable {
  /** All records are of the table, and name their values. */
  public static final TableFeed WHOLE_TOPIC = new TableFeed("", List.of());

  public TableFeed {
    fields = List.copyOf(fields);
  }
}
