package io.rowmark.merge.normalize;

import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.UnavailableValue;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableSpec;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;

/**
 * What a task needs to decode the events of one table.
 *
 * @param schemaJson the table's columns in Iceberg's JSON form
 * @param key key columns; empty for append-only tables
 * @param feed how files become changes
 * @param kept what the table keeps of rows that are changed or deleted
 */
record DecodePlan(
    String schemaJson,
    Map<String, ColumnDeclaration> declared,
    List<String> key,
    TableSpec.Mode mode,
    TableSpec.TruncatePolicy truncatePolicy,
    UnavailableValue unavailable,
    FeedPlan feed,
    KeptRows kept)
    implements Serializable {

  static DecodePlan of(TableSpec spec, Schema schema, SourceSpec source) {
    return new DecodePlan(
        SchemaParser.toJson(schema),
        spec.columns(),
        spec.key(),
        spec.mode(),
        spec.truncatePolicy(),
        new UnavailableValue(source.unavailableValue()),
        FeedPlan.of(source, spec.feed()),
        spec.kept());
  }

  Schema schema() {
    return SchemaParser.fromJson(schemaJson);
  }
}
