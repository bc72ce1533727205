package io.rowmark.app.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.AppConfigReader;
import io.rowmark.app.config.EffectiveConfig;
import io.rowmark.app.spark.Catalogs;
import io.rowmark.app.spark.SparkSessions;
import io.rowmark.formats.type.SourceTypes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.catalog.Catalog;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestTableOverview {
  private Path dir = Path.of("");

  @BeforeEach
  void workIn(@TempDir Path folder) {
    dir = folder;
  }

  @Test
  void showsDeletesByKindAndFollowsARow() throws IOException {
    AppConfig config = config();
    try (SparkSessions spark = SparkSessions.open(config, SparkSessions.WebPage.OFF)) {
      SparkSession session = spark.session();
      write(session, "v3", 3);
      write(session, "v2", 2);
      Catalog catalog = Catalogs.build(config.pipeline().catalog(), session);

      TableOverview overview = TableOverview.of(config.pipeline(), catalog, session);

      TableOverview.Line v2 = overview.lines().get(0);
      assertThat(v2.table()).isEqualTo("shop.v2");
      assertThat(v2.rows()).isEqualTo(98);
      assertThat(v2.files()).extracting("data", "vectors", "positions").containsExactly(1L, 0L, 1L);
      TableOverview.Line v3 = overview.lines().get(1);
      assertThat(v3.rows()).isEqualTo(98);
      assertThat(v3.files().vectors()).isEqualTo(1);
      assertThat(v3.files().positions()).isZero();
      assertThat(v3.files().dead()).isEqualTo(2);
      assertThat(v3.indexEntries()).isEqualTo(1);
      assertThat(v3.indexBytes()).isPositive();

      RowTrace trace = RowTrace.find(config.pipeline(), "shop.v3", "id = 5", session);
      StringWriter printed = new StringWriter();
      trace.print(new PrintWriter(printed, true));
      overview.print(new PrintWriter(printed, true));
      assertThat(printed.toString())
          .contains("index says  position 5 of ")
          .contains("table has   position 5 of ")
          .contains("deletion vectors");
      assertThatThrownBy(() -> RowTrace.find(config.pipeline(), "shop.v3", "id = 3", session))
          .hasMessageContaining("0 rows of shop.v3__rowmark_index have id = 3");
    }
  }

  /** 100 rows in one file, two of them deleted, and an index with the entry of row 5. */
  private static void write(SparkSession session, String name, int formatVersion) {
    String table = "lake.shop." + name;
    session.sql(
        ("create table %s (id bigint) using iceberg tblproperties ('format-version' = '%d',"
                + " 'write.delete.mode' = 'merge-on-read')")
            .formatted(table, formatVersion));
    session.sql("insert into %s select id from range(0, 100, 1, 1)".formatted(table));
    session.sql("delete from %s where id in (7, 9)".formatted(table));
    session.sql(
        ("create table %s__rowmark_index using iceberg as select id, _file as data_file, _pos as"
                + " position from %s where id = 5")
            .formatted(table, table));
  }

  private AppConfig config() throws IOException {
    Path file = dir.resolve("shop.conf");
    Files.writeString(
        file,
        """
        pipeline = shop
        catalog { name = lake, properties { type = hadoop, warehouse = "%s" } }
        source.path = "/landing"
        ledger.table = "shop.ledger"
        table-defaults.readers = [spark]
        table-defaults.key = [id]
        tables { "shop.v3".topic = v3, "shop.v2".topic = v2 }
        spark.conf { spark.master = "local[1]", spark.sql.shuffle.partitions = 1 }
        """
            .formatted(dir.resolve("warehouse")));
    return new AppConfigReader(SourceTypes::parse).read(EffectiveConfig.load(file, List.of()));
  }
}
