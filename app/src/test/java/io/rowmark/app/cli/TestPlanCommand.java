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

class TestPlanCommand {
  private static final TableIdentifier CUSTOMERS = TableIdentifier.of("shop", "customers");
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
    Path topic = Files.createDirectories(folder.resolve("landing/customers"));
    Files.writeString(topic.resolve("a.json"), "{}\n");
    Files.writeString(topic.resolve("b.json"), "{}\n");
  }

  @AfterEach
  void closeCatalog() throws IOException {
    catalog.close();
  }

  private Cli.Ended run(String command, String readers, String... more) throws IOException {
    Path file = dir.resolve("shop.conf");
    Files.writeString(
        file,
        """
        pipeline = shop
        catalog { name = lake, properties { type = hadoop, warehouse = "%s" } }
        source.path = "%s"
        ledger.table = "shop.ledger"
        table-defaults.readers = [%s]
        tables { "shop.customers" { topic = customers, key = [id] } }
        %s
        """
            .formatted(
                dir.resolve("lake"), dir.resolve("landing"), readers, String.join("\n", more)));
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] words = command.split(" ");
    String[] line = java.util.Arrays.copyOf(words, words.length + 2);
    line[words.length] = "--config";
    line[words.length + 1] = file.toString();
    return Cli.run(new SparkEngine(), new PrintWriter(out), new PrintWriter(err), line);
  }

  private Table table(int formatVersion) {
    return catalog.createTable(
        CUSTOMERS,
        new Schema(Types.NestedField.required(1, "id", Types.LongType.get())),
        NONE,
        Map.of("format-version", Integer.toString(formatVersion)));
  }

  @Test
  void newTableIsPlannedAndNothingIsWrittenOrStarted() throws IOException {
    Cli.Ended ended = run("plan", "spark, snowflake");

    assertThat(err.toString()).isEmpty();
    assertThat(ended).isEqualTo(new Cli.Ended(0, null));
    assertThat(out.toString())
        .contains("Plan of pipeline shop")
        .contains("commit     ordered: catalog lake is no REST catalog")
        .contains("Table shop.customers")
        .contains("readers    spark, snowflake")
        .contains("deletes    position, format version 2")
        .containsPattern("equality +ruled out: snowflake .*\\[.+, \\d{4}-\\d\\d-\\d\\d, confidence")
        .containsPattern("position +accepted by all")
        .contains("input      2 files, 6 bytes")
        .contains("step 1     create the table, format version 2");
    assertThat(catalog.listTables(Namespace.of("shop"))).isEmpty();
    assertThat(SparkSession.getDefaultSession().isDefined()).isFalse();
  }

  @Test
  void readersThatNoFormatSuitsFailTheCommandsThatNeedOne() throws IOException {
    for (String command : new String[] {"plan", "config check"}) {
      Cli.Ended ended = run(command, "databricks, dremio");

      assertThat(ended.exitCode()).as(command).isEqualTo(3);
      assertThat(err.toString())
          .as(command)
          .contains("No delete format suits all readers of table shop.customers")
          .contains("databricks", "dremio")
          .contains("What would resolve it:");
    }
    run("plan", "databricks, dremio");
    assertThat(out.toString())
        .contains("deletes    no format suits everyone", "conflict   ", "remedy     ");
    assertThat(catalog.listTables(Namespace.of("shop"))).isEmpty();
  }

  @Test
  void changedReadersAndForeignDeletesAreSteps() throws IOException {
    Table table = table(2);
    table
        .newAppend()
        .appendFile(
            DataFiles.builder(NONE)
                .withPath("rows.parquet")
                .withFileSizeInBytes(4096)
                .withRecordCount(20)
                .build())
        .commit();
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
    table
        .updateProperties()
        .set(ReaderContract.READERS, "spark")
        .set(ReaderContract.FORMAT, "equality")
        .set(ReaderContract.CAPABILITIES, "2026-01-01")
        .commit();

    assertThat(run("plan", "spark").exitCode()).isZero();
    assertThat(out.toString()).contains("deletes    equality", "steps      none before the batch");

    assertThat(run("plan", "spark, snowflake").exitCode()).isZero();
    assertThat(out.toString())
        .contains("deletes    position, format version 2")
        .contains(
            "convert 1 delete files (equality) to position: 1 data files with 20 rows, 4,096 bytes to compare (only by plan --apply)")
        .contains("build the index shop.customers__rowmark_index of 20 rows")
        .contains(
            "change what the table promises: readers: spark -> snowflake, spark; delete format: equality -> position (only by plan --apply)");

    assertThat(run("plan", "databricks").exitCode()).isEqualTo(3);
    assertThat(err.toString()).contains("set allow-format-upgrade = true, which has no way back");

    assertThat(run("plan", "databricks", "table-defaults.allow-format-upgrade = true").exitCode())
        .isZero();
    assertThat(out.toString())
        .contains("upgrade the table from format version 2 to 3, which has no way back")
        .contains("athena");
  }
}
