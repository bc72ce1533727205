package io.rowmark.formats.audit;

import io.rowmark.formats.audit.BoundDeletes.Bound;
import io.rowmark.formats.audit.DeletesPerFile.Bucket;
import io.rowmark.formats.audit.DeletesPerFile.Reach;
import io.rowmark.formats.delete.DeleteFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.util.PropertyUtil;

/** Second pass over a snapshot: counts its data files, and what is deleted in them. */
final class DataPass {
  private record KindAndScope(DeleteFormat kind, DeleteScope scope) {}

  private final DeletePass deletes;
  private final long smallBelow;
  private final long[] filesByBucket = new long[Long.SIZE];
  private final Map<KindAndScope, Long> reached = new LinkedHashMap<>();
  private long files;
  private long records;
  private long bytes;
  private long smallFiles;
  private long deadAtLeast;
  private long deadAtMost;
  private long deadFiles;
  private long unprovenFiles;
  private long mostDeletes;

  /**
   * @param deletes completed
   */
  DataPass(Table table, DeletePass deletes) {
    this.deletes = deletes;
    deletes
        .groups()
        .forEach(group -> reached.put(new KindAndScope(group.kind(), group.scope()), 0L));
    long target =
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    this.smallBelow = target / 4 * 3;
  }

  void add(DataFile file) {
    files++;
    records += file.recordCount();
    bytes += file.fileSizeInBytes();
    if (file.fileSizeInBytes() < smallBelow) {
      smallFiles++;
    }
    AppliedDeletes applied = deletes.appliedTo(file);
    mostDeletes = Math.max(mostDeletes, applied.count());
    filesByBucket[bucket(applied.count())]++;
    reached.replaceAll(
        (reach, count) -> count + (applied.count(reach.kind(), reach.scope()) > 0 ? 1 : 0));
    countDead(file, applied.dead(file.recordCount()));
    checkVectors(file, applied);
    checkPartitions(file, applied);
  }

  private void countDead(DataFile file, AppliedDeletes.Range dead) {
    deadAtLeast += dead.atLeast();
    deadAtMost += dead.atMost();
    if (dead.atLeast() != dead.atMost()) {
      unprovenFiles++;
    }
    if (dead.atLeast() > 0 && dead.atLeast() == file.recordCount()) {
      deadFiles++;
      deletes.findings().add(Finding.Kind.DEAD_FILE, file.location(), null);
    }
  }

  private void checkVectors(DataFile file, AppliedDeletes applied) {
    FindingCounts findings = deletes.findings();
    if (applied.vectors().size() > 1) {
      String first = applied.vectors().stream().map(Bound::path).sorted().findFirst().orElseThrow();
      findings.add(Finding.Kind.SEVERAL_VECTORS, file.location(), first);
    }
    for (Bound vector : applied.vectors()) {
      if (vector.sequence() < file.dataSequenceNumber()) {
        findings.add(Finding.Kind.VECTOR_OLDER_THAN_FILE, file.location(), vector.path());
      }
      if (vector.records() > file.recordCount()) {
        findings.add(Finding.Kind.VECTOR_LARGER_THAN_FILE, file.location(), vector.path());
      }
    }
    if (applied.hidesPositions()) {
      findings.add(
          Finding.Kind.HIDDEN_POSITION,
          file.location(),
          applied.positions().isEmpty() ? null : applied.positions().get(0).path());
    }
  }

  private void checkPartitions(DataFile file, AppliedDeletes applied) {
    List<Bound> bound = new ArrayList<>(applied.vectors());
    bound.addAll(applied.positions());
    for (Bound delete : bound) {
      if (delete.partition() != applied.partition()) {
        deletes.findings().add(Finding.Kind.OTHER_PARTITION, file.location(), delete.path());
      }
    }
  }

  /** 0 is alone in its bucket, and so is 1; then each is twice as wide as the one before. */
  private static int bucket(long count) {
    return Long.SIZE - Long.numberOfLeadingZeros(count);
  }

  TableAudit result(AuditedSnapshot of) {
    deletes.findDangling();
    return new TableAudit(
        of,
        new DataFileTotals(files, records, bytes, smallFiles, smallBelow),
        new TableAudit.Deletes(deletes.groups(), deletes.equalityColumns()),
        new DeadRows(deadAtLeast, deadAtMost, deadFiles, unprovenFiles),
        new DeletesPerFile(mostDeletes, buckets(), reaches()),
        deletes.findings().findings());
  }

  private List<Reach> reaches() {
    return reached.entrySet().stream()
        .map(entry -> new Reach(entry.getKey().kind(), entry.getKey().scope(), entry.getValue()))
        .toList();
  }

  private List<Bucket> buckets() {
    List<Bucket> buckets = new ArrayList<>();
    for (int index = 0; index < filesByBucket.length; index++) {
      if (filesByBucket[index] > 0) {
        long from = index == 0 ? 0 : 1L << (index - 1);
        buckets.add(new Bucket(from, index == 0 ? 0 : 2 * from - 1, filesByBucket[index]));
      }
    }
    return buckets;
  }
}
