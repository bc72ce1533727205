package io.rowmark.merge.normalize;

import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.UnavailableValue;
import io.rowmark.merge.spec.TableSpec;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;

/**
 * What a task needs to turn events into rows of a table.
 *
 * @param schemaJson the table's columns, as Iceberg writes a schema
 * @param declared what the user says of columns
 * @param key key columns; empty for append-only tables
 */
record DecodePlan(
    String schemaJson,
    Map<String, ColumnDeclaration> declared,
    List<String> key,
    TableSpec.Mode mode,
    TableSpec.TruncatePolicy truncatePolicy,
    UnavailableValue unavailable)
    implements Serializable {

  static DecodePlan of(TableSpec spec, Schema schema, String unavailable) {
    return new DecodePlan(
        SchemaParser.toJson(schema),
        spec.columns(),
        spec.key(),
        spec.mode(),
        spec.truncatePolicy(),
        new UnavailableValue(unavailable));
  }

  Schema schema() {
    return SchemaParser.fromJson(schemaJson);
  }
}
