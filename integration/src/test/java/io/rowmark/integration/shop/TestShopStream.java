package io.rowmark.integration.shop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowmark.integration.shop.CapturedStream.Form;
import io.rowmark.integration.shop.ShopRun.Store;
import io.rowmark.integration.shop.TableRows.Difference;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.spec.BatchSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The captured stream ends in the tables that PostgreSQL had, value by value, whatever the format
 * version, the commit protocol and the cut into batches.
 */
@Tag("long")
class TestShopStream {
  private static final List<String> SMALL =
      List.of("customers", "order_items", "sessions", "type_zoo");
  private static final String ONE_FILE = "batch.max-files=1";

  @TempDir private Path folder;

  /** Who does the work of a batch; all batches here are small. */
  enum WorkedOn {
    DRIVER("batch.driver-events=" + BatchSpec.DEFAULT_DRIVER_EVENTS),
    SPARK("batch.driver-events=0");

    private final String setting;

    WorkedOn(String setting) {
      this.setting = setting;
    }
  }

  @ParameterizedTest(name = "format {1}, {0}, one batch a day, worked on in {2}")
  @CsvSource({"ATOMIC_REST, 3, DRIVER", "ORDERED_JDBC, 2, SPARK", "ATOMIC_REST, 3, SPARK"})
  void everyTableEqualsItsSourceAfterEachDay(Store store, int format, WorkedOn workedOn) {
    List<String> tables = new ArrayList<>(ShopRun.KEYED);
    tables.add(ShopRun.HISTORY);
    try (ShopRun run = ShopRun.start(folder, store, format, List.of(workedOn.setting))) {
      for (int day = 1; day <= 2; day++) {
        run.land(Form.PLAIN, day, tables);
        BatchReport report = run.ingest();
        assertThat(report.outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(report.protocol()).isEqualTo(store == Store.ATOMIC_REST ? "atomic" : "ordered");
        checkAll(run, ShopRun.KEYED, day);
        checkHistory(run, day);
        checkNothingNew(run);
      }
      deletesMatter(run);
    }
  }

  @ParameterizedTest(name = "format {1}, {0}, file by file, worked on in {2}")
  @CsvSource({"ORDERED_HADOOP, 3, SPARK", "ATOMIC_REST, 2, DRIVER"})
  void filesOneByOneEndInTheSameTables(Store store, int format, WorkedOn workedOn) {
    List<String> tables = List.of("pgbench_accounts", "customers", "sessions");
    List<String> settings = List.of(ONE_FILE, workedOn.setting);
    try (ShopRun run = ShopRun.start(folder, store, format, settings)) {
      for (int day = 1; day <= 2; day++) {
        run.land(Form.PLAIN, day, tables);
        int batches = 0;
        while (run.ingest().outcome() == Outcome.COMMITTED) {
          batches++;
          for (String table : tables) {
            TableOracle.check(run, table);
          }
        }
        assertThat(batches).isEqualTo(day == 1 ? 6 : 1);
        checkAll(run, tables, day);
        checkNothingNew(run);
      }
    }
  }

  @ParameterizedTest(name = "format {1}, {0}, both days in one batch, worked on in {2}")
  @CsvSource({"ORDERED_REST, 3, SPARK", "ATOMIC_REST, 2, DRIVER"})
  void bothDaysInOneBatchEndInTheSameTables(Store store, int format, WorkedOn workedOn) {
    try (ShopRun run = ShopRun.start(folder, store, format, List.of(workedOn.setting))) {
      run.land(Form.PLAIN, 1, SMALL);
      run.land(Form.PLAIN, 2, SMALL);
      assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
      checkAll(run, SMALL, 2);
      checkNothingNew(run);
    }
  }

  @Test
  void eventsWithSchemasNeedNoDeclarationsButTheDecimals() throws IOException {
    List<String> tables = List.of("customers", "type_zoo");
    Path file = folder.resolve("zoo.conf");
    Files.writeString(file, ZooTypes.CONFIGURATION);
    try (ShopRun run = ShopRun.start(file, folder, Store.ATOMIC_REST, 3, List.of())) {
      for (int day = 1; day <= 2; day++) {
        run.land(Form.WITH_SCHEMAS, day, tables);
        assertThat(run.ingest().outcome()).isEqualTo(Outcome.COMMITTED);
        for (String table : tables) {
          assertThat(run.expected(table, day).differences(run.rows(table)))
              .containsExactlyInAnyOrderElementsOf(
                  KnownDifferences.of(run, Form.WITH_SCHEMAS, table, day));
          TableOracle.check(run, table);
        }
        checkNothingNew(run);
      }
      assertThat(types(run, "type_zoo")).isEqualTo(ZooTypes.WITH_SCHEMAS);
    }
  }

  private static void checkAll(ShopRun run, List<String> tables, int day) {
    for (String table : tables) {
      List<Difference> differences = run.expected(table, day).differences(run.rows(table));
      assertThat(differences)
          .as("%s after day %d", table, day)
          .containsExactlyInAnyOrderElementsOf(KnownDifferences.of(run, Form.PLAIN, table, day));
      TableOracle.check(run, table);
    }
    checkDroppedColumn(run, "customers", "tier", day);
    checkDroppedColumn(run, "sessions", "user_id", day);
    if (day == 2) {
      checkFilled(run);
    }
    if (tables.contains("type_zoo")) {
      assertThat(types(run, "type_zoo"))
          .isEqualTo(day == 1 ? ZooTypes.DAY_1 : ZooTypes.afterExtra(ZooTypes.DAY_1));
    }
  }

  /** A column that the source dropped stays; rows written later have null in it. */
  private static void checkDroppedColumn(ShopRun run, String table, String column, int day) {
    TableRows rows = run.rows(table);
    Map<String, JsonNode> last =
        CapturedStream.replay(Form.PLAIN, day, table, run.spec(table).key());
    assertThat(rows.byKey().keySet()).isEqualTo(last.keySet());
    List<String> written = new ArrayList<>();
    last.forEach(
        (key, row) -> {
          Object value = rows.byKey().get(key).get(column);
          String expected = row.has(column) ? row.get(column).asText() : null;
          assertThat(value == null ? null : value.toString()).as(column).isEqualTo(expected);
          if (expected == null) {
            written.add(key);
          }
        });
    assertThat(written).as("rows of %s written after %s went", table, column).isNotEmpty();
  }

  /** Values that events left out come from the old row, also when the key changed. */
  private static void checkFilled(ShopRun run) {
    Map<String, Map<String, Object>> customers = run.rows("customers").byKey();
    for (int id = 3001; id <= 3010; id++) {
      assertThat(customers.get("" + id)).containsEntry("name", "Renamed " + id);
      assertThat((String) customers.get("" + id).get("bio")).matches("[0-9a-f]{6400}");
    }
    for (int id : List.of(3112, 3113)) {
      assertThat((String) customers.get("" + id).get("bio")).matches("[0-9a-f]{6400}");
      assertThat(customers).doesNotContainKey("" + (id - 100));
    }
    assertThat(customers.get("63")).containsEntry("email", "user64@example.com");
    assertThat(customers.get("64")).containsEntry("email", "user63@example.com");
    assertThat(run.rows("sessions").byKey().keySet())
        .hasSize(20)
        .allMatch(key -> key.startsWith("22222222-2222-4333-8444-"));
  }

  /** Once per event, no more and no less. */
  private static void checkHistory(ShopRun run, int day) {
    List<Map<String, Object>> expected = new ArrayList<>();
    for (JsonNode row : CapturedStream.insertsOf(Form.PLAIN, day, ShopRun.HISTORY)) {
      Map<String, Object> typed = new LinkedHashMap<>();
      for (String column : List.of("tid", "bid", "aid", "delta")) {
        typed.put(column, row.get(column).intValue());
      }
      Instant instant = Instant.EPOCH.plus(row.get("mtime").longValue(), ChronoUnit.MICROS);
      typed.put("mtime", LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
      typed.put("filler", row.get("filler").isNull() ? null : row.get("filler").asText());
      expected.add(typed);
    }
    List<Map<String, Object>> actual = TableRows.readAll(run.table(ShopRun.HISTORY));
    assertThat(expected).hasSize(day == 1 ? 6000 : 7000);
    assertThat(sorted(actual)).isEqualTo(sorted(expected));
  }

  private static List<Map<String, Object>> sorted(List<Map<String, Object>> rows) {
    Comparator<Map<String, Object>> time =
        Comparator.comparing(row -> (LocalDateTime) row.get("mtime"));
    return rows.stream().sorted(time.thenComparing(row -> row.toString())).toList();
  }

  private static void checkNothingNew(ShopRun run) {
    Map<String, String> before = run.metadata();
    BatchReport again = run.ingest();
    assertThat(again.outcome()).isEqualTo(Outcome.NOTHING_NEW);
    assertThat(run.metadata()).isEqualTo(before);
  }

  /** Without the delete files the tables would hold rows that are dead. */
  private static void deletesMatter(ShopRun run) {
    for (String table : List.of("pgbench_accounts", "customers", "order_items", "type_zoo")) {
      TableOracle.Files files = TableOracle.files(run.table(table));
      assertThat(files.deletes()).as("delete files of %s", table).isPositive();
      assertThat(files.records())
          .as("rows of %s in its data files", table)
          .isGreaterThan(run.rows(table).byKey().size());
    }
  }

  private static Map<String, String> types(ShopRun run, String table) {
    Map<String, String> types = new LinkedHashMap<>();
    run.table(table)
        .schema()
        .columns()
        .forEach(column -> types.put(column.name(), column.type().toString()));
    return types;
  }
}
