package io.rowmark.integration.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.index.testing.DeleteFileKinds;
import io.rowmark.integration.engine.Answer;
import io.rowmark.integration.engine.FlinkSink;
import io.rowmark.integration.engine.PythonEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flink writes equality deletes to one branch; the other shows its rows without them. */
@Tag("long")
class TestFollowedFlink {
  private static final String[] FOLLOW = {
    "convert", "--table", "shop.orders", "--from-branch", "staging", "--to-branch", "main"
  };

  @Test
  void mainFollowsAnUpsertJobWhileItRuns(@TempDir Path folder)
      throws IOException, InterruptedException {
    try (ConvertRun shop = new ConvertRun(folder)) {
      // the first query starts what is slow to start
      shop.sql("CREATE NAMESPACE $c.shop");
      FlinkSink.Job job = FlinkSink.start(List.of(shop.uri(), "shop", "orders", "staging", "8000"));
      Set<Long> shown = new HashSet<>();
      while (job.runs()) {
        if (shop.exists("shop.orders") && shop.table("shop.orders").snapshot("staging") != null) {
          shop.run(FOLLOW);
          Snapshot main = shop.table("shop.orders").currentSnapshot();
          if (main != null && shown.add(main.snapshotId())) {
            assertShown(shop, main);
          }
        }
      }
      job.await();
      shop.run(FOLLOW);

      Table table = shop.table("shop.orders");
      assertThat(DeleteFileKinds.of(table, table.snapshot("staging")))
          .as("control: what Flink wrote")
          .containsKeys(DeleteFormat.EQUALITY, DeleteFormat.POSITION);
      assertThat(shown).as("snapshots of main while Flink ran").hasSizeGreaterThan(1);
      assertShown(shop, table.currentSnapshot());
      assertThat(shop.sql("SELECT * FROM $c.shop.orders")).hasSize(80);
      Answer answer =
          PythonEngine.PYICEBERG
              .read(Map.of("orders", PythonEngine.Source.of(table)), folder)
              .get("orders");
      assertThat(answer)
          .isInstanceOfSatisfying(Answer.Rows.class, rows -> assertThat(rows.rows()).hasSize(80));
    }
  }

  private static void assertShown(ConvertRun shop, Snapshot main) {
    Table table = shop.table("shop.orders");
    assertThat(DeleteFileKinds.of(table, main)).doesNotContainKey(DeleteFormat.EQUALITY);
    String rows = "SELECT * FROM $c.shop.orders VERSION AS OF %s ORDER BY id";
    assertThat(shop.sql(rows.formatted(main.snapshotId())))
        .isEqualTo(shop.sql(rows.formatted(main.summary().get("rowmark.publish.snapshot"))));
  }
}
