package io.rowmark.integration.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.index.testing.DeleteFileKinds;
import io.rowmark.index.testing.StreamingWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.FileFormat;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on real tables of a catalog, as people run it. */
class TestConvertRuns {
  @Test
  void deletesOfAnIndexedTableAreConvertedInSlicesAndTheIndexFollows(@TempDir Path folder)
      throws IOException {
    try (ConvertRun shop = new ConvertRun(folder)) {
      fill(shop, 2, "main");
      List<Row> before = shop.sql("SELECT * FROM $c.shop.things ORDER BY id");
      shop.run("index", "build", "--table", "shop.things");
      assertThat(kinds(shop)).containsOnlyKeys(DeleteFormat.EQUALITY);

      String planned = shop.run("convert", "--table", "shop.things", "--dry-run");
      assertThat(planned).contains("to convert  2 equality delete files with 4 records");
      assertThat(kinds(shop)).as("after a dry run").containsOnlyKeys(DeleteFormat.EQUALITY);
      String first =
          shop.run("convert", "--table", "shop.things", "--max-bytes", "1", "--max-commits", "1");
      assertThat(first)
          .contains("slice 1", "2 data files left")
          .contains("index shop.things__rowmark_index is up to date")
          .contains("shop.things: 1 commit in ", "Run again for what is left or came meanwhile.");
      assertThat(shop.sql("SELECT * FROM $c.shop.things ORDER BY id")).isEqualTo(before);

      String rest = shop.run("convert", "--json");

      assertThat(rest)
          .contains("\"nothingLeft\" : true", "\"index\" : \"carried\"", "\"dataFiles\" : 2");
      assertThat(kinds(shop)).containsOnlyKeys(DeleteFormat.POSITION);
      assertThat(shop.sql("SELECT * FROM $c.shop.things ORDER BY id")).isEqualTo(before);
      assertThat(shop.run("index", "verify", "--table", "shop.things"))
          .contains("26 rows compared, no difference");
      assertThat(shop.run("convert"))
          .contains("nothing to do: every delete is by position already")
          .contains("shop.things: nothing was to be done, nothing was written");
    }
  }

  @Test
  void oneBranchShowsAnotherAndTheIndexOfMainIsReconciled(@TempDir Path folder) throws IOException {
    try (ConvertRun shop = new ConvertRun(folder)) {
      fill(shop, 3, "staging");
      String[] follow = {"convert", "--from-branch", "staging", "--to-branch", "main"};
      String first = shop.run(follow);
      assertThat(first)
          .contains("branch main shows branch staging with deletion vectors")
          .contains("data files  3 new, 0 gone, 3 with deletes to be worked out")
          .contains("all files are compared: nothing was published yet")
          .contains("3 added, 0 removed, 3 masked; 4 rows hidden by position, 3 delete files");
      shop.run("index", "build", "--table", "shop.things");
      writer(shop, "staging")
          .begin()
          .rows(List.of(Map.of("id", 1, "name", "again")))
          .deleteGlobal(List.of(Map.of("id", 1), Map.of("id", 2)))
          .commit();

      String second = shop.run(follow);

      assertThat(second).contains("reconciled index shop.things__rowmark_index");
      assertThat(kinds(shop)).containsOnlyKeys(DeleteFormat.DELETION_VECTOR);
      assertThat(shop.sql("SELECT * FROM $c.shop.things ORDER BY id"))
          .isEqualTo(shop.sql("SELECT * FROM $c.shop.things VERSION AS OF 'staging' ORDER BY id"))
          .hasSize(25);
      assertThat(shop.run("index", "verify", "--table", "shop.things"))
          .contains("25 rows compared, no difference");
      assertThat(shop.run(follow)).contains("nothing was to be done, nothing was written");
    }
  }

  /** Three files of ten rows each; four rows are deleted, at least one in each file. */
  private static void fill(ConvertRun shop, int version, String branch) throws IOException {
    shop.sql("CREATE NAMESPACE $c.shop");
    shop.sql(
        "CREATE TABLE $c.shop.things (id INT NOT NULL, name STRING) USING iceberg TBLPROPERTIES ('format-version'='%d')"
            .formatted(version));
    StreamingWriter writer = writer(shop, branch);
    for (int file = 0; file < 3; file++) {
      List<Map<String, Object>> rows = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        rows.add(Map.of("id", file * 10 + i, "name", "n" + i));
      }
      writer.begin().rows(rows).commit();
    }
    writer
        .begin()
        .deleteGlobal(List.of(Map.of("id", 0), Map.of("id", 10), Map.of("id", 20)))
        .commit();
    writer.begin().deleteGlobal(List.of(Map.of("id", 5))).commit();
  }

  private static StreamingWriter writer(ConvertRun shop, String branch) {
    return new StreamingWriter(shop.table("shop.things"), branch, FileFormat.PARQUET);
  }

  private static Map<DeleteFormat, Integer> kinds(ConvertRun shop) {
    return DeleteFileKinds.of(
        shop.table("shop.things"), shop.table("shop.things").currentSnapshot());
  }
}
