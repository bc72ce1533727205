package io.rowmark.formats.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.audit.AuditedSnapshot.Partitioning;
import io.rowmark.formats.audit.DeletesPerFile.Bucket;
import io.rowmark.formats.audit.DeletesPerFile.Reach;
import io.rowmark.formats.audit.Finding.Example;
import io.rowmark.formats.audit.Finding.Kind;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestTableAudit {
  private static final PartitionSpec NONE = PartitionSpec.unpartitioned();

  @TempDir private Path folder;

  private TableInFolder table(PartitionSpec spec, int formatVersion) {
    return TableInFolder.create(folder.resolve("t"), spec, formatVersion);
  }

  private static List<Kind> kinds(TableAudit audit) {
    return audit.findings().stream().map(Finding::kind).toList();
  }

  private static Finding finding(TableAudit audit, Kind kind) {
    return audit.finding(kind).orElseThrow();
  }

  @Test
  void tableWithoutSnapshotIsEmpty() {
    TableAudit audit = table(NONE, 2).audit();

    assertThat(audit.of().formatVersion()).isEqualTo(2);
    assertThat(audit.of().snapshotId()).isNull();
    assertThat(audit.of().partitioning()).isEqualTo(Partitioning.NONE);
    assertThat(audit.of().metadataFile()).endsWith(".metadata.json");
    assertThat(audit.data()).isEqualTo(new DataFileTotals(0, 0, 0, 0, 402653184));
    assertThat(audit.deletes().groups()).isEmpty();
    assertThat(audit.deadRows()).isEqualTo(new DeadRows(0, 0, 0, 0));
    assertThat(audit.perDataFile()).isEqualTo(new DeletesPerFile(0, List.of(), List.of()));
    assertThat(audit.findings()).isEmpty();
    assertThat(audit.kinds()).isEmpty();
  }

  @Test
  void dataFilesAreCountedAndSmallOnesToo() throws IOException {
    TableInFolder table = table(TableInFolder.BY_REGION, 1);
    DataFile first = table.append("eu", 1, 2, 3);
    DataFile second = table.append("us", 4);
    table.table().updateProperties().set("write.target-file-size-bytes", "100").commit();
    TableAudit audit = table.audit();

    assertThat(audit.of().partitioning()).isEqualTo(Partitioning.PARTITIONED);
    assertThat(audit.data())
        .isEqualTo(
            new DataFileTotals(2, 4, first.fileSizeInBytes() + second.fileSizeInBytes(), 0, 75));
    assertThat(audit.perDataFile().buckets()).containsExactly(new Bucket(0, 0, 2));
  }

  @Test
  void fileScopedPositionDeletesSayExactlyWhatIsDead() throws IOException {
    TableInFolder table = table(NONE, 2);
    DataFile first = table.append("eu", 1, 2, 3);
    table.append("eu", 4);
    table.commit(table.delete(first, List.of(), 0, 2));
    TableAudit audit = table.audit();

    assertThat(audit.deletes().groups())
        .singleElement()
        .satisfies(
            group -> {
              assertThat(group.kind()).isEqualTo(DeleteFormat.POSITION);
              assertThat(group.scope()).isEqualTo(DeleteScope.FILE);
              assertThat(group.partitions()).isEqualTo(1);
              assertThat(group.tally().files()).isEqualTo(1);
              assertThat(group.tally().records()).isEqualTo(2);
            });
    assertThat(audit.deadRows()).isEqualTo(new DeadRows(2, 2, 0, 0));
    assertThat(audit.perDataFile().buckets())
        .containsExactly(new Bucket(0, 0, 1), new Bucket(1, 1, 1));
    assertThat(audit.findings()).isEmpty();
  }

  @Test
  void severalPositionDeletesOfAFileMayOverlap() throws IOException {
    TableInFolder table = table(NONE, 2);
    DataFile file = table.append("eu", 1, 2, 3, 4, 5, 6);
    table.commit(table.delete(file, List.of(), 0, 2));
    table.commit(table.delete(file, List.of(), 0, 1, 2));
    TableAudit audit = table.audit();

    assertThat(audit.deadRows()).isEqualTo(new DeadRows(3, 5, 0, 1));
    assertThat(audit.deadRows().isExact()).isFalse();
    assertThat(audit.perDataFile().max()).isEqualTo(2);
    assertThat(audit.perDataFile().buckets()).containsExactly(new Bucket(2, 3, 1));
  }

  @Test
  void positionDeletesThatSpanFilesProveNothing() throws IOException {
    TableInFolder table = table(NONE, 2);
    DataFile first = table.append("eu", 1, 2, 3);
    DataFile second = table.append("eu", 4);
    DeleteFile delete =
        table.spanning(null, NONE, Map.of(first.location(), 0L, second.location(), 0L));
    table.commit(delete);
    DataFile later = table.append("eu", 5);
    TableAudit audit = table.audit();

    assertThat(audit.deletes().groups())
        .extracting(DeleteGroup::scope)
        .containsExactly(DeleteScope.PARTITION);
    assertThat(finding(audit, Kind.SPANNING_POSITION))
        .isEqualTo(
            new Finding(Kind.SPANNING_POSITION, 1, List.of(new Example(null, delete.location()))));
    assertThat(audit.deadRows()).isEqualTo(new DeadRows(0, 4, 0, 2));
    assertThat(audit.perDataFile().reaches())
        .containsExactly(new Reach(DeleteFormat.POSITION, DeleteScope.PARTITION, 2));
    assertThat(later.recordCount()).isEqualTo(1);
  }

  @Test
  void equalityDeletesUnderAnUnpartitionedSpecAreGlobal() throws IOException {
    TableInFolder table = table(NONE, 2);
    table.append("eu", 1, 2);
    DeleteFile delete = table.equality(null, NONE, 2, 9);
    DataFile same = table.rows("eu", 2);
    table.table().newRowDelta().addRows(same).addDeletes(delete).commit();
    TableAudit audit = table.audit();

    assertThat(audit.deletes().groups())
        .extracting(DeleteGroup::kind, DeleteGroup::scope)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(DeleteFormat.EQUALITY, DeleteScope.GLOBAL));
    assertThat(audit.deletes().equalityColumns())
        .singleElement()
        .satisfies(
            columns -> {
              assertThat(columns.fieldIds()).containsExactly(1);
              assertThat(columns.columns()).containsExactly("id");
              assertThat(columns.tally().records()).isEqualTo(2);
            });
    assertThat(finding(audit, Kind.GLOBAL_EQUALITY).examples())
        .containsExactly(new Example(null, delete.location()));
    // The rows of the same commit are newer than the delete.
    assertThat(audit.perDataFile().buckets())
        .containsExactly(new Bucket(0, 0, 1), new Bucket(1, 1, 1));
    assertThat(audit.deadRows()).isEqualTo(new DeadRows(0, 2, 0, 1));
  }

  @Test
  void equalityDeletesOfAPartitionStayInIt() throws IOException {
    TableInFolder table = table(TableInFolder.BY_REGION, 2);
    table.append("eu", 1, 2);
    table.append("us", 2);
    table.commit(
        table.equality(table.region("eu"), table.table().spec(), 2),
        table.equality(table.region("asia"), table.table().spec(), 2));
    TableAudit audit = table.audit();

    assertThat(audit.deletes().groups())
        .singleElement()
        .satisfies(
            group -> {
              assertThat(group.scope()).isEqualTo(DeleteScope.PARTITION);
              assertThat(group.partitions()).isEqualTo(2);
              assertThat(group.tally().files()).isEqualTo(2);
            });
    assertThat(audit.perDataFile().dataFiles(DeleteFormat.EQUALITY, DeleteScope.PARTITION))
        .isEqualTo(1);
    assertThat(audit.findings()).isEmpty();
  }

  @Test
  void equalityDeletesOfAnOldUnpartitionedSpecStayGlobal() throws IOException {
    TableInFolder table = table(NONE, 2);
    table.append("eu", 1);
    table.table().updateSpec().addField("region").commit();
    table.append("eu", 2);
    table.append("us", 3);
    table.commit(
        table.equality(null, table.table().specs().get(0), 1),
        table.equality(table.region("eu"), table.table().spec(), 2));
    TableAudit audit = table.audit();

    assertThat(audit.of().partitioning()).isEqualTo(Partitioning.EVOLVED);
    assertThat(audit.deletes().groups())
        .extracting(DeleteGroup::specId, DeleteGroup::scope)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, DeleteScope.GLOBAL),
            org.assertj.core.groups.Tuple.tuple(1, DeleteScope.PARTITION));
    assertThat(audit.perDataFile().reaches())
        .containsExactly(
            new Reach(DeleteFormat.EQUALITY, DeleteScope.GLOBAL, 3),
            new Reach(DeleteFormat.EQUALITY, DeleteScope.PARTITION, 1));
  }

  @Test
  void vectorsSayExactlyWhatIsDead() throws IOException {
    TableInFolder table = table(NONE, 3);
    DataFile first = table.append("eu", 1, 2, 3);
    DataFile second = table.append("eu", 4, 5);
    table.commit(table.delete(first, List.of(), 1));
    table.commit(table.vector(second.location(), NONE, null, 0, 1));
    TableAudit audit = table.audit();

    assertThat(audit.kinds()).containsExactly(DeleteFormat.DELETION_VECTOR);
    assertThat(audit.deletes().files(DeleteFormat.DELETION_VECTOR)).isEqualTo(2);
    assertThat(audit.deadRows()).isEqualTo(new DeadRows(3, 3, 1, 0));
    assertThat(audit.findings())
        .containsExactly(
            new Finding(Kind.DEAD_FILE, 1, List.of(new Example(second.location(), null))));
  }

  @Test
  void positionDeletesLeftFromVersionTwoAreFoundAndThoseBehindAVectorToo() throws IOException {
    TableInFolder table = table(NONE, 2);
    DataFile first = table.append("eu", 1, 2, 3);
    DataFile second = table.append("eu", 4, 5);
    DeleteFile old = table.delete(first, List.of(), 0).added().get(0);
    DeleteFile both =
        table.spanning(null, NONE, Map.of(first.location(), 1L, second.location(), 1L));
    table.commit(old, both);
    table.upgradeToV3();
    table.commit(table.vector(second.location(), NONE, null, 0, 1));
    TableAudit audit = table.audit();

    assertThat(audit.of().formatVersion()).isEqualTo(3);
    assertThat(kinds(audit))
        .containsExactly(
            Kind.SPANNING_POSITION, Kind.POSITION_ON_V3, Kind.HIDDEN_POSITION, Kind.DEAD_FILE);
    assertThat(finding(audit, Kind.POSITION_ON_V3).count()).isEqualTo(2);
    assertThat(finding(audit, Kind.HIDDEN_POSITION).examples())
        .containsExactly(new Example(second.location(), null));
    assertThat(audit.perDataFile().reaches())
        .containsExactly(
            new Reach(DeleteFormat.POSITION, DeleteScope.FILE, 1),
            new Reach(DeleteFormat.POSITION, DeleteScope.PARTITION, 1),
            new Reach(DeleteFormat.DELETION_VECTOR, DeleteScope.FILE, 1));
    assertThat(audit.deadRows()).isEqualTo(new DeadRows(3, 5, 1, 1));
  }

  @Test
  void twoVectorsOfOneFileAreAViolation() throws IOException {
    TableInFolder table = table(NONE, 3);
    DataFile file = table.append("eu", 1, 2, 3);
    table.commit(table.vector(file.location(), NONE, null, 0));
    table.commit(table.vector(file.location(), NONE, null, 1));
    TableAudit audit = table.audit();

    assertThat(finding(audit, Kind.SEVERAL_VECTORS).count()).isEqualTo(1);
    assertThat(Kind.SEVERAL_VECTORS.gravity()).isEqualTo(Finding.Gravity.VIOLATION);
    assertThat(finding(audit, Kind.SEVERAL_VECTORS).examples().get(0).dataFile())
        .isEqualTo(file.location());
    assertThat(audit.deadRows()).isEqualTo(new DeadRows(1, 2, 0, 1));
    assertThatThrownBy(() -> table.table().newScan().planFiles().forEach(task -> {}))
        .hasMessageContaining("Can't index multiple DVs");
  }

  @Test
  void danglingDeletesAreFound() throws IOException {
    TableInFolder table = table(NONE, 2);
    DataFile first = table.append("eu", 1, 2, 3);
    DeleteFile old = table.delete(first, List.of(), 0).added().get(0);
    table.commit(old);
    table.table().newDelete().deleteFile(first).commit();
    table.upgradeToV3();
    DeleteFile vector = table.vector("gone.parquet", NONE, null, 0);
    table.commit(vector);
    TableAudit audit = table.audit();

    assertThat(finding(audit, Kind.DANGLING_VECTOR))
        .isEqualTo(
            new Finding(
                Kind.DANGLING_VECTOR, 1, List.of(new Example("gone.parquet", vector.location()))));
    assertThat(finding(audit, Kind.DANGLING_POSITION).examples())
        .containsExactly(new Example(first.location(), old.location()));
    assertThat(audit.perDataFile().dataFiles(DeleteFormat.DELETION_VECTOR, DeleteScope.FILE))
        .isZero();
  }

  @Test
  void vectorsThatDoNotFitTheirFileAreViolations() throws IOException {
    TableInFolder table = table(TableInFolder.BY_REGION, 3);
    PartitionSpec spec = table.table().spec();
    DataFile elsewhere = table.append("eu", 1, 2);
    DataFile short1 = table.append("eu", 3);
    DataFile late = table.rows("eu", 4);
    table.commit(
        table.vector(elsewhere.location(), spec, table.region("us"), 0),
        table.vector(short1.location(), spec, table.region("eu"), 0, 1),
        table.vector(late.location(), spec, table.region("eu"), 0));
    table.table().newAppend().appendFile(late).commit();
    TableAudit audit = table.audit();

    assertThat(finding(audit, Kind.OTHER_PARTITION).examples().get(0).dataFile())
        .isEqualTo(elsewhere.location());
    assertThat(finding(audit, Kind.VECTOR_LARGER_THAN_FILE).examples().get(0).dataFile())
        .isEqualTo(short1.location());
    assertThat(finding(audit, Kind.VECTOR_OLDER_THAN_FILE).examples().get(0).dataFile())
        .isEqualTo(late.location());
  }

  @Test
  void olderSnapshotIsAuditedAsItWas() throws IOException {
    TableInFolder table = table(NONE, 2);
    DataFile file = table.append("eu", 1, 2);
    Snapshot before = table.table().currentSnapshot();
    table.commit(table.delete(file, List.of(), 0));

    assertThat(TableAudit.of(table.table(), before).kinds()).isEmpty();
    assertThat(TableAudit.of(table.table(), before).of().snapshotId())
        .isEqualTo(before.snapshotId());
    assertThat(table.audit().kinds()).containsExactly(DeleteFormat.POSITION);
  }

  @Test
  void examplesAreFewAndCountsAreNot() throws IOException {
    TableInFolder table = table(NONE, 2);
    table.append("eu", 1, 2);
    for (int commit = 0; commit < 7; commit++) {
      table.commit(table.equality(null, NONE, commit));
    }
    TableAudit audit = table.audit();

    assertThat(finding(audit, Kind.GLOBAL_EQUALITY).count()).isEqualTo(7);
    assertThat(finding(audit, Kind.GLOBAL_EQUALITY).examples()).hasSize(FileTally.EXAMPLES);
    assertThat(audit.perDataFile().max()).isEqualTo(7);
    assertThat(audit.perDataFile().buckets()).containsExactly(new Bucket(4, 7, 1));
  }

  @Test
  void noDataFileAndNoDeleteFileIsOpened() throws IOException {
    TableInFolder table = table(NONE, 3);
    DataFile file = table.append("eu", 1, 2);
    DeleteFile vector = table.vector(file.location(), NONE, null, 0);
    table.commit(vector);
    Files.delete(Path.of(file.location()));
    Files.delete(Path.of(vector.location()));

    assertThat(table.audit().deadRows()).isEqualTo(new DeadRows(1, 1, 0, 0));
  }

  @Test
  void missingManifestIsNamed() throws IOException {
    TableInFolder table = table(NONE, 2);
    table.append("eu", 1);
    ManifestFile manifest =
        table.table().currentSnapshot().dataManifests(table.table().io()).get(0);
    Files.delete(Path.of(manifest.path()));

    assertThatThrownBy(table::audit)
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.TABLE_STATE))
        .hasMessageContaining("cannot be read")
        .hasMessageContaining(manifest.path());
  }
}
