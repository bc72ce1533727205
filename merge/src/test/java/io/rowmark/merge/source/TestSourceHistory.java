package io.rowmark.merge.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.source.SourceHistory.Step;
import io.rowmark.merge.spec.ReadersSpec;
import io.rowmark.merge.spec.SourcePlace.Changes;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TestSourceHistory {
  private final InMemoryCatalog catalog = new InMemoryCatalog();
  private Table source;

  @BeforeEach
  void makeSource() {
    catalog.initialize("memory", Map.of());
    catalog.createNamespace(Namespace.of("lake"));
    source =
        catalog.createTable(
            TableIdentifier.of("lake", "raw"),
            new Schema(Types.NestedField.required(1, "id", Types.LongType.get())));
  }

  @AfterEach
  void close() throws java.io.IOException {
    catalog.close();
  }

  private Snapshot append() {
    source
        .newAppend()
        .appendFile(
            DataFiles.builder(source.spec())
                .withPath("/lake/raw/" + source.history().size() + ".parquet")
                .withFileSizeInBytes(10)
                .withRecordCount(1)
                .build())
        .commit();
    return source.currentSnapshot();
  }

  private void expire(Snapshot snapshot) {
    source.expireSnapshots().expireSnapshotId(snapshot.snapshotId()).commit();
  }

  private List<Step> unread(Changes changes, Long start, Long last) {
    TableSpec target =
        new TableSpec(
            "lake.raw",
            "lake.t",
            TableSpec.Mode.KEYED,
            List.of("id"),
            Map.of(),
            List.of(),
            Map.of(),
            TableSpec.SchemaPolicy.EVOLVE,
            TableSpec.TruncatePolicy.APPLY,
            new TableFeed("", List.of(), start),
            new ReadersSpec(
                Audience.of(List.of("spark"), List.of(), CapabilityData.bundled()),
                new Wishes(WantedDeletes.AUTO, Wishes.WantedVersion.AUTO, Wishes.Upgrade.REFUSED)));
    return new SourceHistory(source, target, changes).unread(last);
  }

  @Test
  void anEmptyTableHasNothing() {
    assertThat(unread(Changes.ROWS, null, null)).isEmpty();
  }

  @Test
  void theFirstTimeTheWholeTableIsRead() {
    append();
    Snapshot head = append();

    assertThat(unread(Changes.ROWS, null, null)).containsExactly(new Step.Whole(head));
  }

  @Test
  void afterwardsEachSnapshotSinceInOrder() {
    Snapshot first = append();
    Snapshot second = append();
    Snapshot third = append();

    assertThat(unread(Changes.ROWS, null, first.snapshotId()))
        .containsExactly(new Step.Next(second), new Step.Next(third));
    assertThat(unread(Changes.ROWS, null, third.snapshotId())).isEmpty();
  }

  @Test
  void theSnapshotReadLastMayBeGoneWhileItsChildIsThere() {
    Snapshot first = append();
    Snapshot second = append();
    expire(first);

    assertThat(unread(Changes.ROWS, null, first.snapshotId()))
        .containsExactly(new Step.Next(second));
  }

  @Test
  void aGapIsToldOfAndAStartSnapshotLeadsOverIt() {
    Snapshot first = append();
    Snapshot second = append();
    Snapshot third = append();
    Snapshot fourth = append();
    expire(first);
    expire(second);

    assertThatThrownBy(() -> unread(Changes.SNAPSHOTS, null, first.snapshotId()))
        .isInstanceOf(RowmarkException.class)
        .hasMessageStartingWith(
            "Snapshot %d of source table lake.raw, up to which table lake.t was fed, is not in the table's history any more"
                .formatted(first.snapshotId()))
        .hasMessageContaining("set start-snapshot of table lake.t");
    assertThat(unread(Changes.SNAPSHOTS, third.snapshotId(), first.snapshotId()))
        .containsExactly(new Step.Next(fourth));
    assertThat(unread(Changes.SNAPSHOTS, second.snapshotId(), first.snapshotId()))
        .as("the child of an expired start")
        .containsExactly(new Step.Next(third), new Step.Next(fourth));
  }

  @Test
  void theLedgerCountsMoreThanAnOlderStartSnapshot() {
    Snapshot first = append();
    Snapshot second = append();
    Snapshot third = append();

    assertThat(unread(Changes.ROWS, first.snapshotId(), second.snapshotId()))
        .containsExactly(new Step.Next(third));
    assertThat(unread(Changes.ROWS, third.snapshotId(), null)).isEmpty();
  }

  @Test
  void aStartSnapshotThatNeverWasIsNamed() {
    append();

    assertThatThrownBy(() -> unread(Changes.ROWS, 7L, null))
        .hasMessageStartingWith(
            "Snapshot 7 of source table lake.raw, which start-snapshot of table lake.t names, is not in");
  }

  @Test
  void aRolledBackTableIsComparedAndARolledBackChangelogRefused() {
    Snapshot first = append();
    Snapshot second = append();
    source.manageSnapshots().rollbackTo(first.snapshotId()).commit();
    Snapshot other = append();

    assertThat(unread(Changes.SNAPSHOTS, null, second.snapshotId()))
        .containsExactly(new Step.Across(second, other));
    assertThatThrownBy(() -> unread(Changes.ROWS, null, second.snapshotId()))
        .hasMessageContaining("was rolled back or set to another snapshot");
  }
}
