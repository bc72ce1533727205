package io.rowmark.index.publish;

import static io.rowmark.index.publish.TwoBranches.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.index.convert.ConversionLimits;
import io.rowmark.index.convert.SliceReport;
import io.rowmark.index.convert.TableConversion;
import io.rowmark.index.testing.DeleteFileKinds;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.StreamingWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.expressions.Expressions;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories of a streaming writer: appends and equality deletes of several key sets and
 * scopes, null keys, position deletes, compactions, partition specs and columns that change.
 * Iceberg's own reader says which rows are right. {@code -Drowmark.seeds=N} tries more.
 */
class TestPublishHistories {
  private static final SparkSession SPARK = LocalSpark.session();
  private static final int SEEDS = Integer.getInteger("rowmark.seeds", 1);
  private static final int ROUNDS = 14;
  private static final int KEYS = 12;
  private static final String[] NAMES = {"a", "b", "c", null};

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void mainHasTheRowsOfStagingAfterEachPublication(int version, TestInfo test) throws IOException {
    for (long seed = 1; seed <= SEEDS; seed++) {
      IndexFixture table = table("follow%d_%d".formatted(version, seed));
      TwoBranches two = new TwoBranches(table);
      two.create(version);
      History history = new History(two, "staging", new Random(seed * 31 + version));
      try {
        for (int round = 0; round < ROUNDS; round++) {
          history.operation();
          if (history.random.nextInt(3) > 0) {
            two.publish(new PublishLimits(history.random.nextInt(3), 100, 3));
            two.assertHeadShown();
            assertThat(two.publish()).as("publishing again").isEmpty();
          }
        }
        two.publish();
        two.assertShown();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed %d: %s".formatted(seed, history.done), e);
      }
      assertThat(history.deletes).as("control: equality deletes that were written").isPositive();
      assertThat(
              DeleteFileKinds.rowsWithDeletesIgnored(table.data(), table.data().currentSnapshot()))
          .as("control: deletes of main hide rows, seed %d", seed)
          .isGreaterThanOrEqualTo(two.main().size());
    }
  }

  @Tag("long")
  @Test
  void slicesInPlaceHideTheSameRowsInVersionTwo() throws IOException {
    slicesInPlaceHideTheSameRows(2);
  }

  @ParameterizedTest
  @ValueSource(ints = 3)
  void slicesInPlaceHideTheSameRows(int version) throws IOException {
    for (long seed = 1; seed <= SEEDS; seed++) {
      IndexFixture table = table("place%d_%d".formatted(version, seed));
      TwoBranches two = new TwoBranches(table);
      two.create(version);
      History history = new History(two, "main", new Random(seed * 37 + version));
      try {
        for (int round = 0; round < ROUNDS; round++) {
          history.operation();
          if (history.random.nextBoolean()) {
            List<Row> before = two.main();
            convert(table, 1, history.random.nextBoolean() ? 1 : Long.MAX_VALUE);
            assertThat(two.main()).as("rows after a slice").isEqualTo(before);
          }
        }
        List<Row> before = two.main();
        List<SliceReport> rest = convert(table, 100, 2000);
        assertThat(two.main()).as("rows after %s", rest).isEqualTo(before);
        Map<DeleteFormat, Integer> kinds =
            DeleteFileKinds.of(table.data(), table.data().currentSnapshot());
        assertThat(kinds.keySet())
            .as("kinds of deletes that are left")
            .isSubsetOf(DeleteFormat.positional(version));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed %d: %s".formatted(seed, history.done), e);
      }
      assertThat(history.deletes).as("control: equality deletes that were written").isPositive();
    }
  }

  private static List<SliceReport> convert(IndexFixture table, int commits, long bytes) {
    return new TableConversion(
            SPARK,
            table.names().catalog(),
            table.names().data(),
            table.names().index(),
            loaded -> DeleteFormat.positional(TableUtil.formatVersion(loaded)),
            new ConversionLimits(bytes, commits, 3))
        .run(report -> {});
  }

  private IndexFixture table(String name) {
    return new IndexFixture(SPARK, LocalSpark.hadoopCatalog(folder.resolve(name)), name, "id");
  }

  /** What a writer and its operators do to one branch. */
  private static final class History {
    private final TwoBranches two;
    private final String branch;
    private final Random random;
    private final List<String> done = new ArrayList<>();
    private int deletes;
    private int number;

    History(TwoBranches two, String branch, Random random) {
      this.two = two;
      this.branch = branch;
      this.random = random;
    }

    void operation() throws IOException {
      int kind = done.isEmpty() ? 0 : random.nextInt(12);
      switch (kind) {
        case 7 -> run("position delete", "DELETE FROM $b WHERE id = " + random.nextInt(KEYS));
        case 8 ->
            run(
                "compaction",
                "CALL %s.system.rewrite_data_files(table => '%s', branch => '%s', options => map('rewrite-all','%s','min-input-files','2'))"
                    .formatted(
                        two.table().names().sparkCatalog(),
                        two.table().names().data(),
                        branch,
                        random.nextBoolean()));
        case 9 -> evolveSpec();
        case 10 -> widen();
        case 11 -> run("overwrite", "DELETE FROM $b WHERE n < " + random.nextInt(20));
        default -> upsert();
      }
    }

    private void run(String what, String sql) {
      done.add(what);
      String branched =
          branch.equals("main")
              ? two.table().names().sparkData()
              : two.table().names().sparkData() + ".`branch_" + branch + "`";
      two.table().sql(sql.replace("$b", branched));
    }

    private void evolveSpec() {
      Table table = two.data();
      boolean named = table.spec().fields().stream().anyMatch(one -> one.name().equals("name"));
      var update = table.updateSpec();
      if (named) {
        update.removeField("name").addField("by_id_" + ++number, Expressions.bucket("id", 2));
      } else {
        table.spec().fields().forEach(field -> update.removeField(field.name()));
        update.addField("name");
      }
      update.commit();
      done.add("spec " + table.spec());
    }

    private void widen() {
      if (number % 2 == 0 && two.data().schema().findType("n").typeId().name().equals("INTEGER")) {
        // of a column that deletes compare
        two.table().sql("ALTER TABLE $t ALTER COLUMN n TYPE BIGINT");
        done.add("widened n");
      }
      two.table().sql("ALTER TABLE $t ADD COLUMN extra%d STRING".formatted(++number));
      done.add("column");
    }

    private void upsert() throws IOException {
      FileFormat[] formats = {FileFormat.PARQUET, FileFormat.AVRO, FileFormat.ORC};
      StreamingWriter writer =
          new StreamingWriter(two.data(), branch, formats[random.nextInt(formats.length)]);
      StreamingWriter.Commit commit = writer.begin();
      List<Map<String, @Nullable Object>> rows = new ArrayList<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        rows.add(typed(row(random.nextInt(KEYS), name(), random.nextInt(30))));
      }
      commit.rows(rows);
      StringBuilder text = new StringBuilder("upsert of %d rows".formatted(rows.size()));
      for (int i = random.nextInt(3); i > 0; i--) {
        Map<String, @Nullable Object> row =
            typed(row(random.nextInt(KEYS), name(), random.nextInt(30)));
        Map<String, @Nullable Object> values = keySet(row);
        if (random.nextBoolean() || !two.data().spec().isPartitioned()) {
          commit.deleteGlobal(List.of(values));
          text.append(", global ");
        } else {
          commit.deleteInPartition(row, values);
          text.append(", partition ");
        }
        text.append(values);
        deletes++;
      }
      commit.commit();
      done.add(text.toString());
    }

    private Map<String, @Nullable Object> keySet(Map<String, @Nullable Object> row) {
      String[][] sets = {{"id"}, {"id"}, {"id", "name"}, {"name"}, {"n"}};
      Map<String, @Nullable Object> values = new HashMap<>();
      for (String column : sets[random.nextInt(sets.length)]) {
        values.put(column, row.get(column));
      }
      return values;
    }

    private Map<String, @Nullable Object> typed(Map<String, @Nullable Object> row) {
      if (!two.data().schema().findType("n").typeId().name().equals("INTEGER")) {
        row.put("n", ((Integer) row.get("n")).longValue());
      }
      return row;
    }

    private @Nullable String name() {
      return NAMES[random.nextInt(NAMES.length)];
    }
  }
}
