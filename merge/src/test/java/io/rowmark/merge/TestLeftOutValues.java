package io.rowmark.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CapabilitySpec;
import io.rowmark.merge.spec.CatalogSpec;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.ReadersSpec;
import io.rowmark.merge.spec.RejectSpec;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Events that leave a value out, with what the source sent before them in the same and in earlier
 * batches. Both bugs were found by random histories.
 */
class TestLeftOutValues {
  private static final String LEFT_OUT = "left out";

  @TempDir Path folder;
  private LocalCatalog catalog;
  private int files;

  @BeforeEach
  void open() {
    catalog = LocalSpark.hadoopCatalog(folder.resolve("warehouse"));
  }

  private static String event(String op, int order, long id, String note, String big) {
    return ("{\"op\":\"%s\",\"after\":{\"id\":%d,\"note\":\"%s\",\"big\":\"%s\"},"
            + "\"source\":{\"connector\":\"postgresql\",\"sequence\":\"[\\\"%d\\\",\\\"%d\\\"]\"}}")
        .formatted(op, id, note, big, order, order);
  }

  private void ingest(int formatVersion, String... events) throws IOException {
    Path topic = Files.createDirectories(folder.resolve("landing/things"));
    Files.write(topic.resolve("things+0+%05d.json".formatted(files++)), List.of(events));
    TableSpec table =
        new TableSpec(
            "things",
            "shop.things",
            TableSpec.Mode.KEYED,
            List.of("id"),
            Map.of(),
            List.of(),
            Map.of(),
            TableSpec.SchemaPolicy.EVOLVE,
            TableSpec.TruncatePolicy.APPLY,
            TableFeed.WHOLE_TOPIC,
            positional(formatVersion));
    PipelineSpec pipeline =
        new PipelineSpec(
            "left-out",
            new CatalogSpec(catalog.name(), Map.of()),
            new SourceSpec("debezium-json", folder.resolve("landing").toUri().toString(), LEFT_OUT),
            List.of(table),
            "shop.ledger",
            new IndexSpec("__rowmark_index", IndexSpec.Order.KEPT, IndexSpec.DEFAULT_MERGE_RUNS),
            new BatchSpec(1000, Long.MAX_VALUE, BatchSpec.DEFAULT_DRIVER_EVENTS),
            new CommitSpec(CommitSpec.Mode.AUTO, 1),
            new RejectSpec("", 0, RejectSpec.Content.REASON_ONLY),
            new CapabilitySpec(CapabilityData.bundled(), null));
    BatchReport report =
        new BatchPipeline(
                pipeline, LocalSpark.session(), catalog.iceberg(), StepListener.SILENT, done -> {})
            .run();
    assertThat(report.outcome()).isEqualTo(BatchReport.Outcome.COMMITTED);
  }

  private static ReadersSpec positional(int formatVersion) {
    return new ReadersSpec(
        Audience.of(List.of("spark"), List.of(), CapabilityData.bundled()),
        new Wishes(
            WantedDeletes.valueOf(DeleteFormat.positional(formatVersion).name()),
            Wishes.WantedVersion.valueOf("V" + formatVersion),
            Wishes.Upgrade.REFUSED));
  }

  private List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> records =
        IcebergGenerics.read(catalog.iceberg().loadTable(TableIdentifier.of("shop", "things")))
            .build()) {
      records.forEach(
          record ->
              rows.add(
                  "%s %s %s"
                      .formatted(
                          record.getField("id"), record.getField("note"), record.getField("big"))));
    }
    return rows.stream().sorted().toList();
  }

  /** Seen to fail when the repeated changes are folded as well. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aRepeatedChangeLendsNoValueToANewerOne(int formatVersion) throws IOException {
    ingest(formatVersion, event("c", 1, 7, "first", "old"), event("c", 1, 8, "other", "apart"));
    ingest(formatVersion, event("u", 2, 7, "second", "new"));
    ingest(formatVersion, event("c", 1, 7, "first", "old"), event("u", 3, 7, "third", LEFT_OUT));
    assertThat(rows()).containsExactly("7 third new", "8 other apart");
  }

  /** The other side: what is new in the batch does lend its values. */
  @Test
  void aNewChangeOfTheSameBatchLendsItsValue() throws IOException {
    ingest(3, event("c", 1, 7, "first", "old"));
    ingest(3, event("u", 2, 7, "second", "new"), event("u", 3, 7, "third", LEFT_OUT));
    assertThat(rows()).containsExactly("7 third new");
  }

  /** Seen to fail when the converter of old rows does not know the position column. */
  @Test
  void valuesComeFromTheOldRowOfTheSameKeyAmongOthersOfItsFile() throws IOException {
    ingest(
        3,
        event("c", 1, 7, "first", "seven"),
        event("c", 2, 8, "first", "eight"),
        event("c", 3, 9, "first", "nine"));
    ingest(3, event("u", 4, 9, "second", LEFT_OUT), event("u", 5, 7, "second", LEFT_OUT));
    assertThat(rows()).containsExactly("7 second seven", "8 first eight", "9 second nine");
  }
}
