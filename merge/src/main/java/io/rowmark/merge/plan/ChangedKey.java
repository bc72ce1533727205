package io.rowmark.merge.plan;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;

/**
 * Refuses a batch whose table was fed by other key columns before. Under another key what was one
 * row becomes two, or two become one, so a typing error in a configuration must not do it unseen.
 */
final class ChangedKey {
  private ChangedKey() {}

  /**
   * @throws RowmarkException TABLE_STATE when the index of this very table was made for other
   *     columns; their order does not matter
   */
  static void refuse(IndexedTable names, Table data, KeySpec key) {
    Optional<IndexCoverage> claim =
        IndexTables.find(names.catalog(), names.index())
            .flatMap(index -> IndexTables.state(index).lastClaim())
            .filter(coverage -> coverage.tableUuid().equals(data.uuid()));
    if (claim.isEmpty()) {
      return;
    }
    Set<Integer> before = KeySpec.fieldIds(claim.get().keyFingerprint());
    Set<Integer> now = KeySpec.fieldIds(key.fingerprint());
    if (!before.equals(now)) {
      throw RowmarkException.tableState(
          ("Table %s was fed by the key [%s] so far, as its index says, and the configuration says"
                  + " [%s]. Another key makes other rows the same, so a batch does not change it."
                  + " Restore the key; or, if the rows of the table are right by the new key as they"
                  + " are, run 'rowmark index build --table %s'.")
              .formatted(
                  names.data(),
                  before.stream()
                      .sorted()
                      .map(id -> name(data, id))
                      .collect(Collectors.joining(", ")),
                  String.join(", ", key.names()),
                  names.data()));
    }
  }

  private static String name(Table data, int fieldId) {
    Types.NestedField field = data.schema().findField(fieldId);
    return field == null ? "a dropped column" : field.name();
  }
}
