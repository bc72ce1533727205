package io.rowmark.index.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.index.testing.DeleteFileKinds;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.StreamingWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** A table whose staging branch is written and whose main branch follows. */
record TwoBranches(IndexFixture table) {
  static final Branches BRANCHES = new Branches("staging", "main");

  void create(int formatVersion) {
    table.sql(
        "CREATE TABLE $t (id INT, name STRING, n INT) USING iceberg TBLPROPERTIES ('format-version'='%d','write.delete.mode'='merge-on-read')"
            .formatted(formatVersion));
  }

  Table data() {
    return table.data();
  }

  StreamingWriter staging() {
    return new StreamingWriter(data(), "staging", FileFormat.PARQUET);
  }

  List<PublishReport> publish() {
    return publish(new PublishLimits(0, 100, 3));
  }

  List<PublishReport> publish(PublishLimits limits) {
    return publish(limits, loaded -> DeleteFormat.positional(TableUtil.formatVersion(loaded)));
  }

  List<PublishReport> publish(PublishLimits limits, Function<Table, DeleteFormat> format) {
    return new BranchPublisher(
            LocalSpark.session(),
            table.names().catalog(),
            table.names().data(),
            BRANCHES,
            format,
            limits)
        .run(report -> {});
  }

  List<Row> main() {
    return rows("'main'");
  }

  List<Row> rows(Object version) {
    return table.sql("SELECT id, name, n FROM $t VERSION AS OF " + version + " ORDER BY 1, 2, 3");
  }

  /** Main has the rows of staging, and no delete by key. */
  void assertHeadShown() {
    Table data = data();
    assertThat(DeleteFileKinds.of(data, data.snapshot("main")))
        .doesNotContainKey(DeleteFormat.EQUALITY);
    assertThat(main()).isEqualTo(rows("'staging'"));
  }

  /** Every snapshot of main that shows one of staging has its rows, and no delete by key. */
  void assertShown() {
    Table data = data();
    Snapshot main = data.snapshot("main");
    for (Snapshot snapshot : SnapshotUtil.ancestorsOf(main.snapshotId(), data::snapshot)) {
      Optional<PublishMark> mark = PublishMark.in(snapshot);
      if (mark.isPresent()) {
        assertThat(DeleteFileKinds.of(data, snapshot)).doesNotContainKey(DeleteFormat.EQUALITY);
        assertThat(rows(snapshot.snapshotId()))
            .as("main at %d, staging at %d", snapshot.snapshotId(), mark.get().snapshotId())
            .isEqualTo(rows(mark.get().snapshotId()));
      }
    }
    assertHeadShown();
  }

  static Map<String, @Nullable Object> row(int id, @Nullable String name, int n) {
    Map<String, @Nullable Object> row = new HashMap<>();
    row.put("id", id);
    row.put("name", name);
    row.put("n", n);
    return row;
  }
}
