package io.rowmark.integration.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.audit.Finding;
import io.rowmark.formats.audit.TableAudit;
import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.verdict.Outcome;
import io.rowmark.formats.verdict.ReaderJudge;
import io.rowmark.integration.engine.Answer;
import io.rowmark.integration.engine.FlinkSink;
import io.rowmark.integration.engine.PythonEngine;
import io.rowmark.integration.engine.PythonEngine.Ended;
import io.rowmark.integration.engine.PythonEngine.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that other writers made: what lies in them, and who can read them. */
@Tag("long")
class TestAuditOfForeignTables {
  private static final CapabilityData DATA = CapabilityData.bundled();
  private static final List<String> READERS =
      List.of(
          "spark",
          "flink",
          "trino",
          "duckdb",
          "clickhouse 26.9",
          "pyiceberg",
          "polars",
          "snowflake",
          "databricks",
          "dremio",
          "athena");

  @TempDir private Path folder;

  @Test
  void tableOfFlinksUpsertSink() throws IOException, InterruptedException {
    FlinkSink.upsertOrders(folder, "shop", "orders");
    Table table = table(Map.of("type", "hadoop", "warehouse", folder.toUri().toString()));
    assertThat(commits(table)).as("one commit a checkpoint").isGreaterThan(3);
    assertThat(notes(table)).isEqualTo(flinkOrders());
    TableAudit audit = audit(table);
    assertThat(audit.of().formatVersion()).isEqualTo(2);
    assertThat(audit.kinds()).isEqualTo(Set.of(DeleteFormat.EQUALITY, DeleteFormat.POSITION));
    assertThat(audit.deletes().equalityColumns()).hasSize(1);
    assertThat(findings(audit)).contains(Finding.Kind.GLOBAL_EQUALITY);
    assertThat(verdicts(audit))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("spark", Outcome.READABLE),
                Map.entry("flink", Outcome.READABLE),
                Map.entry("trino", Outcome.READABLE),
                Map.entry("duckdb", Outcome.READABLE),
                Map.entry("clickhouse 26.9", Outcome.READABLE),
                Map.entry("athena", Outcome.READABLE),
                Map.entry("pyiceberg", Outcome.ERROR),
                Map.entry("polars", Outcome.ERROR),
                Map.entry("snowflake", Outcome.STALE),
                Map.entry("databricks", Outcome.WRONG_ROWS),
                Map.entry("dremio", Outcome.WRONG_ROWS)));
    for (PythonEngine engine : List.of(PythonEngine.DUCKDB, PythonEngine.CLICKHOUSE)) {
      assertThat(notes(read(engine, table).rows())).as(engine.script()).isEqualTo(flinkOrders());
    }
    for (PythonEngine engine : List.of(PythonEngine.PYICEBERG, PythonEngine.POLARS)) {
      assertThat(read(engine, table)).as(engine.script()).isInstanceOf(Answer.Failed.class);
    }
  }

  @Test
  void tableOfPyIceberg() throws IOException {
    try (EmbeddedCatalog server = EmbeddedCatalog.start(folder, 0)) {
      Ended ended =
          PythonEngine.run(
              "write_pyiceberg.py", List.of(server.uri().toString(), "shop", "orders"));
      assertThat(ended.code()).as(ended.output()).isZero();
      Table table = table(server.clientProperties());
      assertThat(notes(table)).hasSize(85).doesNotContainKeys(0, 7, 98);
      TableAudit audit = audit(table);
      assertThat(audit.of().formatVersion()).isEqualTo(2);
      assertThat(audit.kinds()).as("PyIceberg rewrites data files").isEmpty();
      assertThat(findings(audit)).isEmpty();
      assertThat(verdicts(audit).values()).containsOnly(Outcome.READABLE);
    }
  }

  private static Table table(Map<String, String> catalog) {
    return CatalogUtil.buildIcebergCatalog("foreign", catalog, new Configuration())
        .loadTable(TableIdentifier.of("shop", "orders"));
  }

  private static TableAudit audit(Table table) {
    return TableAudit.of(table, table.currentSnapshot());
  }

  private static Set<Finding.Kind> findings(TableAudit audit) {
    return audit.findings().stream().map(Finding::kind).collect(Collectors.toSet());
  }

  private static Map<String, Outcome> verdicts(TableAudit audit) {
    return new ReaderJudge(DATA, Audience.of(READERS, List.of(), DATA))
        .judge(audit).stream()
            .collect(
                Collectors.toMap(
                    verdict -> verdict.reader().text(), verdict -> verdict.verdict().outcome()));
  }

  private static long commits(Table table) {
    return StreamSupport.stream(table.snapshots().spliterator(), false).count();
  }

  private Answer read(PythonEngine engine, Table table) {
    return engine.read(Map.of("orders", Source.of(table)), folder).get("orders");
  }

  /** The live rows, by Iceberg's own reader. */
  private static Map<Integer, String> notes(Table table) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record item : records) {
        Map<String, Object> row = new HashMap<>();
        row.put("id", item.getField("id"));
        row.put("note", item.getField("note"));
        rows.add(row);
      }
    }
    return notes(rows);
  }

  private static Map<Integer, String> notes(List<Map<String, Object>> rows) {
    Map<Integer, String> notes = new TreeMap<>();
    for (Map<String, Object> row : rows) {
      Integer id = (Integer) row.get("id");
      assertThat(notes).as("id twice").doesNotContainKey(id);
      notes.put(id, (String) row.get("note"));
    }
    return notes;
  }

  private static Map<Integer, String> flinkOrders() {
    Map<Integer, String> notes = new TreeMap<>();
    for (int id = 0; id < 100; id++) {
      if (id % 5 != 0) {
        notes.put(id, (id % 2 == 0 ? "updated " : "first ") + id);
      }
    }
    return notes;
  }
}
