package io.rowmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.engine.SparkEngine;
import io.rowmark.merge.plan.ReaderContract;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFiles;
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

/** What the command says before it converts anything. */
class TestConvertCommand {
  private static final PartitionSpec NONE = PartitionSpec.unpartitioned();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path dir = Path.of("");
  private HadoopCatalog catalog = new HadoopCatalog();

  @BeforeEach
  void makeCatalog(@TempDir Path folder) throws IOException {
    dir = folder;
    catalog = new HadoopCatalog(new Configuration(), folder.resolve("lake").toString());
    catalog.createNamespace(Namespace.of("shop"));
  }

  @AfterEach
  void closeCatalog() throws IOException {
    catalog.close();
  }

  private Cli.Ended run(String... words) throws IOException {
    Path file = dir.resolve("shop.conf");
    Files.writeString(
        file,
        """
        pipeline = shop
        catalog { name = lake, properties { type = hadoop, warehouse = "%s" } }
        source.path = "/landing"
        ledger.table = "shop.ledger"
        table-defaults.readers = [spark]
        tables { "shop.customers" { topic = customers, key = [id] } }
        """
            .formatted(dir.resolve("lake")));
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] line = java.util.Arrays.copyOf(words, words.length + 2);
    line[words.length] = "--config";
    line[words.length + 1] = file.toString();
    return Cli.run(new SparkEngine(), new PrintWriter(out), new PrintWriter(err), line);
  }

  private Table table(String name, int formatVersion) {
    Table table =
        catalog.createTable(
            TableIdentifier.of("shop", name),
            new Schema(Types.NestedField.required(1, "id", Types.LongType.get())),
            NONE,
            Map.of("format-version", Integer.toString(formatVersion)));
    table
        .newAppend()
        .appendFile(
            DataFiles.builder(NONE)
                .withPath("rows.parquet")
                .withFileSizeInBytes(4096)
                .withRecordCount(20)
                .build())
        .commit();
    if (formatVersion > 1) {
      table
          .newRowDelta()
          .addDeletes(
              FileMetadata.deleteFileBuilder(NONE)
                  .ofEqualityDeletes(1)
                  .withPath("deletes.parquet")
                  .withFormat(FileFormat.PARQUET)
                  .withFileSizeInBytes(512)
                  .withRecordCount(3)
                  .build())
          .commit();
    }
    return table;
  }

  @Test
  void aDryRunOfAnyTableReadsManifestsOnly() throws IOException {
    Table table = table("events", 2);

    Cli.Ended ended = run("convert", "--table", "shop.events", "--dry-run");

    assertThat(err.toString()).isEmpty();
    assertThat(ended).isEqualTo(new Cli.Ended(0, null));
    assertThat(out.toString().lines())
        .containsExactly(
            "Table shop.events, format version 2",
            "  to convert  1 equality delete files with 3 records, 512 bytes",
            "  they reach  1 data files with 20 rows, 4,096 bytes; key values are read of 4,096 bytes",
            "  they become position deletes");
    assertThat(table.currentSnapshot().snapshotId())
        .isEqualTo(
            catalog.loadTable(TableIdentifier.of("shop", "events")).currentSnapshot().snapshotId());
    assertThat(SparkSession.getDefaultSession().isDefined()).isFalse();

    run("convert", "--table", "shop.events", "--dry-run", "--json");
    assertThat(out.toString())
        .contains("\"to\" : \"position\"", "\"kind\" : \"equality\"", "\"bytesToCompare\" : 4096");
  }

  @Test
  void whatATablePromisedItsReadersIsKept() throws IOException {
    Table table = table("events", 3);
    table
        .updateProperties()
        .set(ReaderContract.READERS, "spark")
        .set(ReaderContract.FORMAT, "equality")
        .commit();

    assertThat(run("convert", "--table", "shop.events").exitCode()).isEqualTo(3);
    assertThat(err.toString())
        .contains("Table shop.events promised its readers (spark) deletes of the kind equality")
        .contains("they would become deletion-vector. Nothing was changed.");

    table
        .updateProperties()
        .set(ReaderContract.READERS, "dremio")
        .remove(ReaderContract.FORMAT)
        .commit();
    assertThat(run("convert", "--table", "shop.events").exitCode()).isEqualTo(3);
    assertThat(err.toString())
        .contains("Table shop.events must not get deletes of the kind deletion-vector: dremio");
  }

  @Test
  void versionsWithoutDeletesAndNamesThatAreNoneAreToldPlainly() throws IOException {
    table("old", 1);

    assertThat(run("convert", "--table", "shop.old").exitCode()).isEqualTo(5);
    assertThat(err.toString())
        .contains("Table shop.old has format version 1; deletes are converted on versions 2 and 3");
    assertThat(run("convert").exitCode()).isEqualTo(3);
    assertThat(err.toString()).contains("There is no Iceberg table shop.customers");
    assertThat(
            run("convert", "--table", "shop.old", "--from-branch", "staging", "--dry-run")
                .exitCode())
        .isEqualTo(2);
    assertThat(err.toString()).contains("--from-branch and --to-branch go together.");
    assertThat(run("convert", "--table", "old").exitCode()).isEqualTo(2);
    assertThat(err.toString()).contains("'old' is no table name");
    assertThat(run("convert", "--max-bytes", "many").exitCode()).isEqualTo(2);
    assertThat(err.toString()).contains("'many' is no size");
  }

  @Test
  void branchesThatAreNotThereAreNamed() throws IOException {
    table("events", 2);

    assertThat(
            run(
                    "convert",
                    "--table",
                    "shop.events",
                    "--dry-run",
                    "--from-branch",
                    "staging",
                    "--to-branch",
                    "main")
                .exitCode())
        .isEqualTo(3);
    assertThat(err.toString()).contains("has no branch staging with a snapshot; it has [main]");
  }
}
