package io.rowmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowmark.app.engine.SparkEngine;
import io.rowmark.formats.failure.Category;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command on tables of a real catalog; a check reads manifests, so their files need not be. */
class TestCheckCommand {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));
  private static final PartitionSpec NONE = PartitionSpec.unpartitioned();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path dir = Path.of("");
  private String config = "";
  private HadoopCatalog catalog = new HadoopCatalog();

  @BeforeEach
  void makeCatalog(@TempDir Path folder) throws IOException {
    dir = folder;
    catalog = new HadoopCatalog(new Configuration(), folder.resolve("lake").toString());
    catalog.createNamespace(Namespace.of("shop"));
    Path file = folder.resolve("shop.conf");
    Files.writeString(
        file,
        """
        pipeline = shop
        catalog.name = lake
        catalog.properties { type = hadoop, warehouse = "%s" }
        source.path = "/landing"
        ledger.table = "shop.ledger"
        table-defaults.readers = [spark]
        tables { "shop.customers" { topic = customers, key = [id] } }
        """
            .formatted(folder.resolve("lake")));
    config = file.toString();
  }

  @AfterEach
  void closeCatalog() throws IOException {
    catalog.close();
  }

  private Cli.Ended check(String... args) {
    String[] line = new String[args.length + 3];
    line[0] = "check";
    line[1] = "--config";
    line[2] = config;
    System.arraycopy(args, 0, line, 3, args.length);
    return Cli.run(new SparkEngine(), new PrintWriter(out), new PrintWriter(err), line);
  }

  private Table table(String name, int formatVersion) {
    return catalog.createTable(
        TableIdentifier.of("shop", name),
        SCHEMA,
        NONE,
        Map.of("format-version", Integer.toString(formatVersion)));
  }

  private Table withEqualityDeletes() {
    Table table = table("orders", 2);
    DataFile rows =
        DataFiles.builder(NONE)
            .withPath("rows-1.parquet")
            .withFileSizeInBytes(4096)
            .withRecordCount(20)
            .build();
    DeleteFile deletes =
        FileMetadata.deleteFileBuilder(NONE)
            .ofEqualityDeletes(1)
            .withPath("deletes-1.parquet")
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(512)
            .withRecordCount(3)
            .build();
    table.newAppend().appendFile(rows).commit();
    table.newRowDelta().addDeletes(deletes).commit();
    return table;
  }

  @Test
  void readableTableEndsWithZeroAndWithoutASparkSession() {
    withEqualityDeletes();
    Cli.Ended ended = check("shop.orders", "--readers", "spark,trino");

    assertThat(ended).isEqualTo(new Cli.Ended(0, null));
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .contains("Table lake.shop.orders, format version 2")
        .contains("1 data file, 20 rows, 4,096 bytes; 1 below 402,653,184 bytes")
        .contains("dead rows: between 0 (0.0 %) and 20 (100.0 %); manifests do not tell for 1 data")
        .contains("  kind       scope  spec  partitions  files  records  bytes")
        .contains("  equality  global     0           1      1        3    512")
        .contains("equality by id: 1 file")
        .contains("at most 1 (1: 1 data file)")
        .contains("equality delete files that apply to the whole table: 1")
        .contains("Readers, as named, by what was known on ")
        .contains("  readable    spark");
    assertThat(SparkSession.getDefaultSession().isDefined()).isFalse();
  }

  @Test
  void unreadableTableEndsWithEightAndNamesFileReasonAndSource() {
    withEqualityDeletes();
    Cli.Ended ended = check("shop.orders", "--readers", "spark,snowflake");

    assertThat(ended.exitCode()).isEqualTo(8);
    assertThat(Objects.requireNonNull(ended.failure()).category()).isEqualTo(Category.UNREADABLE);
    assertThat(err.toString())
        .contains("Failed (UNREADABLE): Table shop.orders is not known to be read rightly by")
        .contains("snowflake")
        .contains("Nothing was written.");
    assertThat(out.toString())
        .contains("snowflake")
        .contains("does not read equality deletes")
        .contains("                deletes-1.parquet")
        .contains("source: ");
  }

  @Test
  void jsonIsOneDocumentInAFixedOrder() throws IOException {
    Table table = withEqualityDeletes();
    check("shop.orders", "--readers", "spark,snowflake", "--json");

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly(
            "table",
            "metadataFile",
            "formatVersion",
            "snapshotId",
            "committedAt",
            "partitioning",
            "data",
            "deletes",
            "equalityColumns",
            "deletesPerDataFile",
            "findings",
            "readersFrom",
            "capabilitiesAsOf",
            "readableByAll",
            "readers");
    assertThat(json.get("snapshotId").asLong()).isEqualTo(table.currentSnapshot().snapshotId());
    assertThat(json.get("readableByAll").asBoolean()).isFalse();
    assertThat(json.get("readersFrom").asText()).isEqualTo("named");
    assertThat(json.get("deletes").get(0).toString())
        .isEqualTo(
            "{\"kind\":\"equality\",\"scope\":\"global\",\"specId\":0,\"partitions\":1,"
                + "\"files\":1,\"records\":3,\"bytes\":512,\"examples\":[\"deletes-1.parquet\"]}");
    JsonNode snowflake = json.get("readers").get(1);
    assertThat(snowflake.get("reader").asText()).isEqualTo("snowflake");
    assertThat(snowflake.get("right").asBoolean()).isFalse();
    assertThat(snowflake.get("grounds").get(0).fieldNames())
        .toIterable()
        .containsExactly("kind", "file", "files", "reason", "source", "date", "confidence");
  }

  @Test
  void readersOfTheTableAreTakenWhereNoneIsNamed() {
    Table table = withEqualityDeletes();
    table.updateProperties().set("rowmark.readers", "spark, trino 480").commit();

    assertThat(check("shop.orders").exitCode()).isZero();
    assertThat(out.toString())
        .contains("Readers, as the table declares them")
        .contains("readable    trino 480")
        .doesNotContain("snowflake");
  }

  @Test
  void wrongReadersOfTheTableAreItsOwnState() {
    Table table = withEqualityDeletes();
    table.updateProperties().set("rowmark.readers", "sprak").commit();

    assertThat(check("shop.orders").exitCode()).isEqualTo(5);
    assertThat(err.toString())
        .contains("The property rowmark.readers of table shop.orders cannot be used")
        .contains("Did you mean spark?");
  }

  @Test
  void allKnownReadersAreTakenWhereNobodyDeclaresAny() {
    withEqualityDeletes();

    assertThat(check("shop.orders").exitCode()).isEqualTo(8);
    assertThat(out.toString())
        .contains("Readers, all that are known, as none is declared")
        .contains("spark")
        .contains("snowflake")
        .contains("dremio");
  }

  @Test
  void olderSnapshotIsJudgedAsItWas() {
    Table table = withEqualityDeletes();
    table.refresh();
    long before =
        Objects.requireNonNull(table.currentSnapshot().parentId(), "an append came before");

    assertThat(
            check("shop.orders", "--readers", "snowflake", "--snapshot", Long.toString(before))
                .exitCode())
        .isZero();
    assertThat(out.toString()).contains("snapshot " + before).contains("No delete files");
  }

  @Test
  void tableWithoutSnapshotIsReadable() {
    table("empty", 2);

    assertThat(check("shop.empty", "--readers", "snowflake").exitCode()).isZero();
    assertThat(out.toString()).contains("no snapshot: nothing was ever committed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shop.nothing | 3 | There is no Iceberg table shop.nothing in the catalog 'lake'",
        "orders | 2 | 'orders' is no table name. Write namespace and table",
        "shop.orders --snapshot 7 | 3 | Table shop.orders has no snapshot 7: it was expired",
        "shop.orders --snapshot x | 2 | --snapshot",
        "shop.orders --readers snowflaek | 3 | Did you mean snowflake?",
        "shop.orders --allow dremio/partition-scoped | 3 | partition-scoped-only",
        "shop.orders --readers '' | 3 | is not of the form <engine>"
      })
  void mistakesAreNamed(String args, int exitCode, String message) {
    withEqualityDeletes();

    assertThat(check(args.replace("''", " ").split(" ", 3)).exitCode()).isEqualTo(exitCode);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void folderThatIsNoTableIsNotFound() throws IOException {
    Files.createDirectories(dir.resolve("lake/shop/plain"));

    assertThat(check("shop.plain").exitCode()).isEqualTo(3);
    assertThat(err.toString()).contains("There is no Iceberg table shop.plain");
  }
}
