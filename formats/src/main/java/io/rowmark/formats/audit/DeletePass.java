package io.rowmark.formats.audit;

import io.rowmark.formats.audit.BoundDeletes.Bound;
import io.rowmark.formats.delete.DeleteFormat;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.util.ContentFileUtil;
import org.jspecify.annotations.Nullable;

/** First pass over a snapshot: sorts its delete files by what they apply to. */
final class DeletePass {
  private record GroupKey(DeleteFormat kind, int specId, DeleteScope scope) {}

  private static final Comparator<GroupKey> GROUP_ORDER =
      Comparator.comparing(GroupKey::kind)
          .thenComparing(GroupKey::specId)
          .thenComparing(GroupKey::scope);
  private static final Comparator<List<Integer>> FIELDS_ORDER =
      Comparator.comparing(List::toString);

  private final Table table;
  private final int formatVersion;
  private final PartitionIds partitions;
  private final FindingCounts findings = new FindingCounts();
  private final Map<GroupKey, TallyBuilder> groups = new TreeMap<>(GROUP_ORDER);
  private final Map<List<Integer>, TallyBuilder> equalityColumns = new TreeMap<>(FIELDS_ORDER);
  private final Map<String, BoundDeletes> byDataFile = new HashMap<>();
  private final Map<Integer, SequenceNumbers> equality = new HashMap<>();
  private final Map<Integer, SequenceNumbers> positions = new HashMap<>();
  private final SequenceNumbers globalEquality = new SequenceNumbers();

  DeletePass(Table table) {
    this.table = table;
    this.formatVersion = TableUtil.formatVersion(table);
    this.partitions = new PartitionIds(table.specs());
  }

  void add(DeleteFile file) {
    int partition = partitions.of(file);
    if (file.content() == FileContent.EQUALITY_DELETES) {
      addEquality(file, partition);
    } else if (ContentFileUtil.isDV(file)) {
      addVector(file, partition);
    } else {
      addPositions(file, partition);
    }
  }

  private void addEquality(DeleteFile file, int partition) {
    boolean global = Objects.requireNonNull(table.specs().get(file.specId())).isUnpartitioned();
    if (global) {
      globalEquality.add(file.dataSequenceNumber());
      findings.add(Finding.Kind.GLOBAL_EQUALITY, null, file.location());
    } else {
      sequences(equality, partition).add(file.dataSequenceNumber());
    }
    DeleteScope scope = global ? DeleteScope.GLOBAL : DeleteScope.PARTITION;
    count(DeleteFormat.EQUALITY, scope, file, partition);
    List<Integer> fields = file.equalityFieldIds().stream().sorted().toList();
    equalityColumns.computeIfAbsent(fields, unused -> new TallyBuilder()).add(file, partition);
  }

  private void addVector(DeleteFile file, int partition) {
    count(DeleteFormat.DELETION_VECTOR, DeleteScope.FILE, file, partition);
    String dataFile = file.referencedDataFile();
    if (formatVersion < 3) {
      findings.add(Finding.Kind.VECTOR_BELOW_V3, dataFile, file.location());
    }
    if (dataFile == null) {
      findings.add(Finding.Kind.VECTOR_WITHOUT_FILE, null, file.location());
    } else {
      bind(dataFile, file, partition);
    }
  }

  private void addPositions(DeleteFile file, int partition) {
    String dataFile = ContentFileUtil.referencedDataFileLocation(file);
    if (formatVersion >= 3) {
      findings.add(Finding.Kind.POSITION_ON_V3, dataFile, file.location());
    }
    if (dataFile == null) {
      findings.add(Finding.Kind.SPANNING_POSITION, null, file.location());
      sequences(positions, partition).add(file.dataSequenceNumber());
      count(DeleteFormat.POSITION, DeleteScope.PARTITION, file, partition);
    } else {
      bind(dataFile, file, partition);
      count(DeleteFormat.POSITION, DeleteScope.FILE, file, partition);
    }
  }

  private void count(DeleteFormat kind, DeleteScope scope, DeleteFile file, int partition) {
    groups
        .computeIfAbsent(new GroupKey(kind, file.specId(), scope), unused -> new TallyBuilder())
        .add(file, partition);
  }

  private void bind(String dataFile, DeleteFile file, int partition) {
    byDataFile.computeIfAbsent(dataFile, unused -> new BoundDeletes()).add(file, partition);
  }

  private static SequenceNumbers sequences(Map<Integer, SequenceNumbers> all, int partition) {
    return all.computeIfAbsent(partition, unused -> new SequenceNumbers());
  }

  /** To be called after the last {@link #add} and before the first {@link #appliedTo}. */
  void complete() {
    globalEquality.sort();
    equality.values().forEach(SequenceNumbers::sort);
    positions.values().forEach(SequenceNumbers::sort);
  }

  /** What applies to a live data file; remembers that the file is live. */
  AppliedDeletes appliedTo(DataFile file) {
    BoundDeletes bound = byDataFile.get(file.location());
    if (bound != null) {
      bound.seen();
    }
    int partition = partitions.find(file);
    long sequence = file.dataSequenceNumber();
    return new AppliedDeletes(
        bound == null ? List.of() : bound.vectors(),
        bound == null ? List.of() : bound.positionsFrom(sequence),
        from(positions.get(partition), sequence),
        // A row written in the commit of an equality delete is newer than the delete.
        globalEquality.from(sequence + 1),
        from(equality.get(partition), sequence + 1),
        partition);
  }

  private static long from(@Nullable SequenceNumbers numbers, long sequence) {
    return numbers == null ? 0 : numbers.from(sequence);
  }

  /** Findings so far; the second pass adds its own. */
  FindingCounts findings() {
    return findings;
  }

  /** Counts file-scoped deletes whose data file {@link #appliedTo} was never asked for. */
  void findDangling() {
    byDataFile.forEach(
        (dataFile, bound) -> {
          if (bound.isDangling()) {
            find(Finding.Kind.DANGLING_VECTOR, dataFile, bound.vectors());
            find(Finding.Kind.DANGLING_POSITION, dataFile, bound.positions());
          }
        });
  }

  private void find(Finding.Kind kind, String dataFile, List<Bound> deletes) {
    deletes.forEach(delete -> findings.add(kind, dataFile, delete.path()));
  }

  List<DeleteGroup> groups() {
    return groups.entrySet().stream()
        .map(entry -> group(entry.getKey(), entry.getValue()))
        .toList();
  }

  List<EqualityColumns> equalityColumns() {
    return equalityColumns.entrySet().stream()
        .map(
            entry ->
                new EqualityColumns(
                    entry.getKey(), names(entry.getKey()), entry.getValue().tally()))
        .toList();
  }

  private static DeleteGroup group(GroupKey key, TallyBuilder tally) {
    return new DeleteGroup(
        key.kind(), key.specId(), key.scope(), tally.partitions(), tally.tally());
  }

  private List<String> names(List<Integer> fields) {
    return fields.stream()
        .map(
            field ->
                Stream.concat(
                        Stream.of(table.schema()),
                        table.schemas().values().stream()
                            .sorted(Comparator.comparing(Schema::schemaId).reversed()))
                    .map(schema -> schema.findColumnName(field))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("?"))
        .toList();
  }
}
