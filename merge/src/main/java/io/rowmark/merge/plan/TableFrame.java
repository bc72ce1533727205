package io.rowmark.merge.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.TableMetadata;

/**
 * What files that were written for a table depend on, besides its rows.
 *
 * @param uuid of the table: another one of the same name is another table
 * @param schema id of the current columns
 * @param spec id of the partition spec that new files are written under
 * @param sortOrder id of the sort order that new files are written in
 */
record TableFrame(String uuid, int formatVersion, int schema, int spec, int sortOrder) {
  static TableFrame of(TableMetadata metadata) {
    return new TableFrame(
        metadata.uuid(),
        metadata.formatVersion(),
        metadata.currentSchemaId(),
        metadata.defaultSpecId(),
        metadata.defaultSortOrderId());
  }

  /** What is not as it is here; empty if all is. */
  Optional<String> differenceTo(TableFrame now) {
    if (!uuid.equals(now.uuid)) {
      return Optional.of("it is another table of the same name");
    }
    List<String> changed = new ArrayList<>();
    if (formatVersion != now.formatVersion) {
      changed.add("format version");
    }
    if (schema != now.schema) {
      changed.add("columns");
    }
    if (spec != now.spec) {
      changed.add("partition spec");
    }
    if (sortOrder != now.sortOrder) {
      changed.add("sort order");
    }
    return changed.isEmpty()
        ? Optional.empty()
        : Optional.of("it has another " + String.join(", another ", changed));
  }
}
