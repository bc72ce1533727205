package io.rowmark.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.formats.delete.Wishes.WantedVersion;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.Fraction;
import io.rowmark.formats.type.SourceType;
import io.rowmark.merge.maintain.MaintainSpec;
import io.rowmark.merge.spec.BatchCut;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CapabilitySpec;
import io.rowmark.merge.spec.CatalogSpec;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.ReadersSpec;
import io.rowmark.merge.spec.RecordSpec;
import io.rowmark.merge.spec.RejectSpec;
import io.rowmark.merge.spec.SourcePlace;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mapping of settings to records; a new setting must be added to both tests. */
class TestAppConfig {
  private static final String EVERYTHING =
      """
      pipeline = orders
      catalog {
        name = lake
        kind = polaris
        properties {
          type = rest, uri = "https://host/api", s3.endpoint = "http://s3:9000"
          "rest.client.connection-timeout-ms" = 1, "rest.client.socket-timeout-ms" = 2
        }
      }
      source {
        kind = files
        iceberg { changes = snapshots, removals = ignore }
        format = csv
        envelope = debezium
        path = "s3a://landing"
        transactions { cut = transactions, topic = "shop.transaction", settle = 2 minutes }
        finer-fractions = floor
        unavailable-value = "n/a"
        csv { header = true, delimiter = "\\t", quote = "'", null-value = "" }
        confluent { field = value, schemas = "/schemas" }
      }
      table-defaults {
        mode = append-only
        topic = t0
        source-table = "a.t0"
        fields = [id, amount]
        start-snapshot = ""
        key = []
        columns { amount = "list<int>" }
        partition-by = ["days(ts)"]
        format-version = 2
        properties { write.target-file-size-bytes = 1000, a = b }
        schema-policy = fail
        truncate-policy = ignore
        readers = [trino, "duckdb 1.4"]
        allow = ["clickhouse/experimental"]
        allow-format-upgrade = true
        delete-format = position
        deletes = hard
        duplicate-keys = fail
        soft-delete { flag = gone, at = gone_at, images = whole }
        history { valid-from = a, valid-to = b, is-current = c, time = ts }
      }
      tables {
        "a.b.history" {}
        "shop.customers" {
          mode = keyed
          topic = customers
          source-table = ""
          fields = []
          key = [region, id]
          columns { country { default = "DE" }, id = int, n { type = int, default = 1.10 } }
          partition-by = []
          format-version = 3
          properties { a = c }
          schema-policy = ignore
          truncate-policy = fail
          readers = [flink]
          allow = []
          allow-format-upgrade = false
          delete-format = equality
          deletes = soft
          duplicate-keys = keep-newest
        }
      }
      ledger.table = "ops.ledger"
      capabilities {
        readers = [{
          engine = trino, min-version = "999", position = no, source = "a ticket", date = 2026-11-30
        }]
        catalogs = [{
          catalog = ours, equality = yes, source = "a ticket", date = 2026-11-30
        }]
      }
      index {
        suffix = "_idx", keep-order = false, merge-runs = 3, tombstone-retention = 4 days
      }
      maintain {
        small-files = 7
        dead-share = 0.5
        index-depth = 9
        expire { older-than = 2 hours, retain-last = 6 }
        orphans { older-than = 8 days }
      }
      batch { max-files = 7, max-size = 3 MiB, max-records = 8, driver-events = 9 }
      commit { mode = ordered, attempts = 9 }
      rejects { path = "/rejects", max-records = 5, keep-raw = true }
      report.dir = "/reports"
      spark.conf { spark.sql.shuffle.partitions = 8 }
      """;

  private ConfigFixture config;

  @BeforeEach
  void writeTo(@TempDir Path dir) {
    config = new ConfigFixture(dir);
  }

  @Test
  void everyDefaultIsAsDocumented() {
    AppConfig read = config.read(ConfigFixture.MINIMAL);

    TableSpec customers =
        new TableSpec(
            "customers",
            "shop.customers",
            TableSpec.Mode.KEYED,
            List.of("id"),
            Map.of(),
            List.of(),
            Map.of(),
            TableSpec.SchemaPolicy.EVOLVE,
            TableSpec.TruncatePolicy.APPLY,
            TableFeed.WHOLE_TOPIC,
            new ReadersSpec(audience(List.of("spark"), List.of()), Wishes.NONE));
    assertThat(read)
        .isEqualTo(
            new AppConfig(
                new PipelineSpec(
                    "shop",
                    new CatalogSpec(
                        "rowmark",
                        Map.of(
                            "type", "hadoop",
                            "warehouse", "/warehouse",
                            "rest.client.connection-timeout-ms", "10000",
                            "rest.client.socket-timeout-ms", "300000")),
                    new SourceSpec("debezium-json", "/landing", "__debezium_unavailable_value"),
                    List.of(customers),
                    "shop.ledger",
                    new IndexSpec(
                        "__rowmark_index", IndexSpec.Order.KEPT, IndexSpec.DEFAULT_MERGE_RUNS),
                    new BatchSpec(10_000, 64L << 30, BatchSpec.DEFAULT_DRIVER_EVENTS),
                    new CommitSpec(CommitSpec.Mode.AUTO, 3),
                    new RejectSpec("", 0, RejectSpec.Content.REASON_ONLY),
                    read.pipeline().capabilities()),
                new MaintainSpec(
                    5, 0.3, 4, Duration.ofDays(30), Duration.ofDays(5), 1, Duration.ofDays(3)),
                new ReportSpec(""),
                new SparkSpec(Map.of())));
  }

  @Test
  void everySettingReachesItsRecord() {
    AppConfig read = config.read(EVERYTHING);

    SourceType amount = new SourceType.ListOf(SourceType.Plain.INT);
    TableSpec history =
        new TableSpec(
            "t0",
            "a.b.history",
            TableSpec.Mode.APPEND_ONLY,
            List.of(),
            Map.of("amount", new ColumnDeclaration(amount, null)),
            List.of("days(ts)"),
            Map.of("write.target-file-size-bytes", "1000", "a", "b"),
            TableSpec.SchemaPolicy.FAIL,
            TableSpec.TruncatePolicy.IGNORE,
            new TableFeed("a.t0", List.of("id", "amount")),
            new ReadersSpec(
                audience(List.of("trino", "duckdb 1.4"), List.of("clickhouse/experimental")),
                new Wishes(WantedDeletes.POSITION, WantedVersion.V2, Wishes.Upgrade.ALLOWED)));
    TableSpec customers =
        new TableSpec(
            "customers",
            "shop.customers",
            TableSpec.Mode.KEYED,
            List.of("region", "id"),
            Map.of(
                "amount", new ColumnDeclaration(amount, null),
                "country", new ColumnDeclaration(null, "DE"),
                "id", new ColumnDeclaration(SourceType.Plain.INT, null),
                "n", new ColumnDeclaration(SourceType.Plain.INT, "1.10")),
            List.of(),
            Map.of("write.target-file-size-bytes", "1000", "a", "c"),
            TableSpec.SchemaPolicy.IGNORE,
            TableSpec.TruncatePolicy.FAIL,
            TableFeed.WHOLE_TOPIC,
            new ReadersSpec(
                audience(List.of("flink"), List.of()),
                new Wishes(WantedDeletes.EQUALITY, WantedVersion.V3, Wishes.Upgrade.REFUSED)),
            new KeptRows.Deleted("gone", "gone_at", KeptRows.Images.WHOLE),
            TableSpec.DuplicateKeys.KEEP_NEWEST);
    assertThat(read)
        .isEqualTo(
            new AppConfig(
                new PipelineSpec(
                    "orders",
                    new CatalogSpec(
                        "lake",
                        Map.of(
                            "type", "rest",
                            "uri", "https://host/api",
                            "s3.endpoint", "http://s3:9000",
                            "rest.client.connection-timeout-ms", "1",
                            "rest.client.socket-timeout-ms", "2")),
                    new SourceSpec(
                        new RecordSpec(
                            RecordSpec.Format.CSV,
                            new RecordSpec.Csv(RecordSpec.Header.FIRST_LINE, '\t', '\'', ""),
                            new RecordSpec.Frames(FieldPath.of("value"), "/schemas")),
                        EnvelopeLayouts.named("debezium"),
                        new SourcePlace.Folder(
                            "s3a://landing", new BatchCut.Transactions("shop.transaction")),
                        "n/a",
                        Fraction.FLOOR),
                    List.of(history, customers),
                    "ops.ledger",
                    new IndexSpec("_idx", IndexSpec.Order.NOT_KEPT, 3),
                    new BatchSpec(7, 3L << 20, 8, 9),
                    new CommitSpec(CommitSpec.Mode.ORDERED, 9),
                    new RejectSpec("/rejects", 5, RejectSpec.Content.RAW_RECORD),
                    read.pipeline().capabilities()),
                new MaintainSpec(
                    7, 0.5, 9, Duration.ofDays(4), Duration.ofHours(2), 6, Duration.ofDays(8)),
                new ReportSpec("/reports"),
                new SparkSpec(Map.of("spark.sql.shuffle.partitions", "8"))));
  }

  @Test
  void capabilitiesAndTheKindOfTheCatalogReachTheDecision() {
    CapabilitySpec capabilities = config.read(EVERYTHING).pipeline().capabilities();

    assertThat(capabilities.catalog()).isNotNull();
    assertThat(capabilities.catalog().name()).isEqualTo("polaris");
    assertThat(capabilities.data().catalogs()).contains("ours");
    assertThat(
            capabilities
                .data()
                .capability(capabilities.data().reader("trino 999"))
                .deletes(DeleteFormat.POSITION)
                .value()
                .text())
        .isEqualTo("no");
  }

  private static Audience audience(List<String> readers, List<String> allowed) {
    return Audience.of(readers, allowed, CapabilityData.bundled());
  }

  @Test
  void aHistoryNamesItsColumns() {
    TableSpec spec =
        config
            .read(
                ConfigFixture.MINIMAL
                    + "tables.\"shop.customers\" { mode = history, history { is-current = now, time = at } }")
            .pipeline()
            .tables()
            .get(0);
    assertThat(spec.mode()).isEqualTo(TableSpec.Mode.HISTORY);
    assertThat(spec.kept())
        .isEqualTo(
            new KeptRows.Versions(new VersionColumns("valid_from", "valid_to", "now"), "at"));
  }

  @Test
  void theTestAboveSetsEverySettingOfTheReference() {
    Config everything = config.load(EVERYTHING).root().toConfig();

    assertThat(ReferenceDocument.read().settings())
        .hasSizeGreaterThan(20)
        .allSatisfy(
            setting ->
                assertThat(cameFromFile(everything.getValue(setting.path())))
                    .as(setting.path())
                    .isTrue());
  }

  private static boolean cameFromFile(ConfigValue value) {
    return value instanceof ConfigObject object
        ? object.values().stream().anyMatch(TestAppConfig::cameFromFile)
        : value.origin().filename() != null;
  }
}
