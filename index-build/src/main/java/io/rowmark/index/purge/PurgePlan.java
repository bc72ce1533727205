package io.rowmark.index.purge;

import java.io.Serializable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;

/**
 * What the tasks of one table need.
 *
 * @param table as shipped
 * @param everyColumnJson see {@link io.rowmark.index.convert.DeadRows#everyColumn}
 * @param operationId part of the name of every file that is written
 */
record PurgePlan(Table table, String everyColumnJson, WantedKeys keys, String operationId)
    implements Serializable {

  Schema everyColumn() {
    return SchemaParser.fromJson(everyColumnJson);
  }

  FileRecords records() {
    return new FileRecords(table, everyColumn());
  }
}
