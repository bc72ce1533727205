package io.rowmark.app.config;

import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.HashMap;
import java.util.Map;

/** Checks the names of tables and topics, each alone and all together. */
final class TableNames {
  private TableNames() {}

  /** Refuses a name without a namespace or with an empty part. */
  static void check(Section settings, String table) {
    if (!isQualified(table)) {
      throw RowmarkException.config(
          "%s: '%s' is no table name. Write namespace and table, as in %s."
              .formatted(Place.of(settings.values()), table, "\"shop." + bare(table) + "\""));
    }
  }

  static boolean isQualified(String table) {
    String[] parts = table.split("\\.", -1);
    for (String part : parts) {
      if (part.isBlank()) {
        return false;
      }
    }
    return parts.length > 1;
  }

  private static String bare(String table) {
    String last = table.substring(table.lastIndexOf('.') + 1);
    return last.isBlank() ? "customers" : last;
  }

  /**
   * Refuses two tables from one topic and source table, and one name for two of data, index and
   * ledger tables.
   */
  static void checkTogether(PipelineSpec pipeline, Section tables) {
    Map<String, String> byTopic = new HashMap<>();
    Map<String, String> uses = new HashMap<>();
    uses.put(pipeline.ledgerTable(), "the ledger (ledger.table)");
    for (TableSpec table : pipeline.tables()) {
      String other =
          byTopic.putIfAbsent(table.topic() + '\0' + table.feed().sourceTable(), table.table());
      if (other != null) {
        throw tables.error(
            table.table(),
            "takes the topic %s, as table %s does. Give each table its own topic, or its own source-table."
                .formatted(table.topic(), other));
      }
      claim(uses, table.table(), "table " + table.table(), table, tables);
    }
    for (TableSpec table : pipeline.tables()) {
      String index = table.table() + pipeline.index().suffix();
      boolean mayHaveIndex = table.readers().wishes().deletes() != WantedDeletes.EQUALITY;
      if (table.isKeyed() && mayHaveIndex) {
        claim(uses, index, "the index of table " + table.table(), table, tables);
      }
    }
  }

  private static void claim(
      Map<String, String> uses, String name, String use, TableSpec table, Section tables) {
    String other = uses.putIfAbsent(name, use);
    if (other != null) {
      throw tables.error(
          table.table(),
          "cannot be: the name %s is wanted for %s and for %s. Change one of them."
              .formatted(name, other, use));
    }
  }
}
