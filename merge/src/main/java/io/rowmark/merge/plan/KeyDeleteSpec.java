package io.rowmark.merge.plan;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdatePartitionSpec;

/**
 * Finds the partition spec under which deletes by key reach every old row.
 *
 * <p>A delete under a partitioned spec applies to data files of that spec and partition only, one
 * under an unpartitioned spec to all (Iceberg table spec, "Scan Planning"). The old row's partition
 * follows from the key exactly when every live file is of the current spec and that spec takes its
 * partitions from key columns.
 */
final class KeyDeleteSpec {
  private KeyDeleteSpec() {}

  /**
   * The spec; adds an unpartitioned one to the transaction, beside the current one, if deletes must
   * be global and the table never had one.
   *
   * @param live files of the transaction's base
   */
  static PartitionSpec in(Transaction transaction, LiveFiles live, KeySpec key) {
    Table table = transaction.table();
    PartitionSpec current = table.spec();
    if (live.isEmpty() || current.fields().isEmpty() || followsFromKey(current, live, key)) {
      return current;
    }
    return unpartitioned(table).orElseGet(() -> add(transaction, current));
  }

  private static boolean followsFromKey(PartitionSpec current, LiveFiles live, KeySpec key) {
    Set<Integer> keyIds =
        key.columns().stream().map(KeySpec.KeyColumn::fieldId).collect(Collectors.toSet());
    return current.isPartitioned()
        && current.fields().stream().allMatch(field -> keyIds.contains(field.sourceId()))
        && live.all().stream().allMatch(file -> file.file().specId() == current.specId());
  }

  /** Not one whose fields are all void: engines may take its deletes for partitioned ones. */
  private static Optional<PartitionSpec> unpartitioned(Table table) {
    return table.specs().values().stream().filter(spec -> spec.fields().isEmpty()).findFirst();
  }

  private static PartitionSpec add(Transaction transaction, PartitionSpec current) {
    UpdatePartitionSpec update = transaction.updateSpec();
    current.fields().forEach(field -> update.removeField(field.name()));
    update.addNonDefaultSpec().commit();
    Table table = transaction.table();
    if (!table.spec().equals(current)) {
      throw RowmarkException.internal(
          "Table %s would change its partition spec from %s to %s"
              .formatted(table.name(), current, table.spec()),
          null);
    }
    return unpartitioned(table)
        .orElseThrow(
            () ->
                RowmarkException.internal(
                    "Table %s did not take an unpartitioned spec".formatted(table.name()), null));
  }
}
