package io.rowmark.formats.audit;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.RowmarkException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * What lies in one snapshot of a table. Made from its manifests; no data file and no delete file is
 * opened.
 *
 * @param data its data files
 * @param deletes its delete files
 * @param deadRows rows that are deleted but still in data files
 * @param perDataFile how many delete files apply to a data file
 * @param findings in the order of their kinds; kinds that do not occur are left out
 */
public record TableAudit(
    AuditedSnapshot of,
    DataFileTotals data,
    Deletes deletes,
    DeadRows deadRows,
    DeletesPerFile perDataFile,
    List<Finding> findings) {

  /**
   * @param groups by kind, spec and scope, in this order
   * @param equalityColumns one for each set of columns, by field ids
   */
  public record Deletes(List<DeleteGroup> groups, List<EqualityColumns> equalityColumns) {
    public Deletes {
      groups = List.copyOf(groups);
      equalityColumns = List.copyOf(equalityColumns);
    }

    /** Delete files of one kind. */
    public long files(DeleteFormat kind) {
      return groups.stream()
          .filter(group -> group.kind() == kind)
          .mapToLong(group -> group.tally().files())
          .sum();
    }
  }

  public TableAudit {
    findings = List.copyOf(findings);
  }

  /**
   * Reads the manifests of a snapshot, several at once. Keeps counts, a few examples, and what each
   * data file with deletes of its own needs; not the other files.
   *
   * @param snapshot of this table; null stands for a table without one
   * @throws RowmarkException TABLE_STATE when a manifest is gone or cannot be read
   */
  public static TableAudit of(Table table, @Nullable Snapshot snapshot) {
    DeletePass deletes = new DeletePass(table);
    if (snapshot != null) {
      new ManifestScan(table, snapshot).deleteFiles(deletes::add);
    }
    deletes.complete();
    DataPass data = new DataPass(table, deletes);
    if (snapshot != null) {
      new ManifestScan(table, snapshot).dataFiles(data::add);
    }
    return data.result(AuditedSnapshot.of(table, snapshot));
  }

  /** The kinds of delete files that lie in the snapshot. */
  public Set<DeleteFormat> kinds() {
    Set<DeleteFormat> kinds = EnumSet.noneOf(DeleteFormat.class);
    deletes.groups().forEach(group -> kinds.add(group.kind()));
    return kinds;
  }

  /** The finding of a kind, if it occurs. */
  public Optional<Finding> finding(Finding.Kind kind) {
    return findings.stream().filter(finding -> finding.kind() == kind).findFirst();
  }
}
