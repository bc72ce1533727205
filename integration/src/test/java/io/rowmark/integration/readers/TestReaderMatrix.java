package io.rowmark.integration.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.audit.TableAudit;
import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.verdict.Outcome;
import io.rowmark.formats.verdict.ReaderJudge;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.integration.engine.Answer;
import io.rowmark.integration.engine.PythonEngine;
import io.rowmark.integration.readers.MatrixReader.Python;
import io.rowmark.integration.readers.MatrixReader.Spark;
import io.rowmark.integration.readers.VariantTables.Made;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Engines, really run, read what is said that they read, and nothing else. */
class TestReaderMatrix {
  private static final CapabilityData DATA = CapabilityData.bundled();

  @TempDir private static Path folder;
  private static Map<Variant, Made> made;

  /** Under the names that the capability data has for them. */
  static List<MatrixReader> readers() {
    return List.of(
        new Spark(),
        new Python("pyiceberg", PythonEngine.PYICEBERG),
        new Python("duckdb", PythonEngine.DUCKDB),
        new Python("clickhouse", PythonEngine.CLICKHOUSE),
        new Python("polars", PythonEngine.POLARS));
  }

  @BeforeAll
  static void makeTables() {
    made = new VariantTables(LocalSpark.hadoopCatalog(folder.resolve("warehouse"))).make();
  }

  @ParameterizedTest
  @EnumSource(Variant.class)
  void everyVariantHoldsTheDeletesOfItsName(Variant variant) throws IOException {
    Set<DeleteKind> found = new HashSet<>();
    try (CloseableIterable<FileScanTask> tasks = made.get(variant).table().newScan().planFiles()) {
      tasks.forEach(task -> task.deletes().forEach(file -> found.add(DeleteKind.of(file))));
    }
    assertThat(found).isEqualTo(variant.kinds());
  }

  @ParameterizedTest
  @EnumSource(Variant.class)
  void ignoringTheDeletesWouldGiveOtherRows(Variant variant) throws IOException {
    Made table = made.get(variant);
    assertThat(table.right().equals(table.deletesIgnored())).isEqualTo(variant.kinds().isEmpty());
    long inFiles = 0;
    try (CloseableIterable<FileScanTask> tasks = table.table().newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        inFiles += task.file().recordCount();
      }
    }
    assertThat(inFiles).isEqualTo(table.deletesIgnored().size());
  }

  /** Each pair of engine and table: what {@code rowmark check} says of it is what happens. */
  @ParameterizedTest
  @MethodSource("readers")
  void engineDoesWhatCheckSaysOfIt(MatrixReader reader) {
    Map<Variant, Answer> answers = read(reader);
    SoftAssertions all = new SoftAssertions();
    answers.forEach(
        (variant, answer) -> {
          String engine = reader.name() + " " + answer.version();
          Seen seen = Seen.of(answer, made.get(variant));
          all.assertThat(seen.kind())
              .as("%s reads %s: %s", engine, variant, seen)
              .isIn(meaning(verdict(engine, made.get(variant).table())));
        });
    all.assertAll();
  }

  private static Outcome verdict(String reader, Table table) {
    ReaderJudge judge = new ReaderJudge(DATA, Audience.of(List.of(reader), List.of(), DATA));
    return judge.judge(TableAudit.of(table, table.currentSnapshot())).get(0).verdict().outcome();
  }

  /** What may be seen; nothing where the data leaves it open: then the data is to be completed. */
  private static Set<Seen.Kind> meaning(Outcome outcome) {
    return switch (outcome) {
      case READABLE, FALLBACK -> EnumSet.of(Seen.Kind.READS);
      case ERROR -> EnumSet.of(Seen.Kind.ERROR);
      case WRONG_ROWS -> EnumSet.of(Seen.Kind.IGNORES_DELETES, Seen.Kind.OTHER_WRONG_ROWS);
      case STALE, UNKNOWN -> EnumSet.noneOf(Seen.Kind.class);
    };
  }

  /** Polars chooses one of these by itself. */
  @ParameterizedTest
  @MethodSource
  void polarsReaderReadsRightOrNotAtAll(MatrixReader reader, Set<Variant> refused) {
    Map<Variant, Seen.Kind> expected = new EnumMap<>(Variant.class);
    Map<Variant, Seen.Kind> seen = new EnumMap<>(Variant.class);
    read(reader)
        .forEach(
            (variant, answer) -> {
              seen.put(variant, Seen.of(answer, made.get(variant)).kind());
              expected.put(variant, refused.contains(variant) ? Seen.Kind.ERROR : Seen.Kind.READS);
            });
    assertThat(seen).isEqualTo(expected);
  }

  static List<Arguments> polarsReaderReadsRightOrNotAtAll() {
    Set<Variant> equality =
        EnumSet.of(
            Variant.V2_EQUALITY,
            Variant.V2_EQUALITY_ACROSS_PARTITIONS,
            Variant.V2_EQUALITY_IN_PARTITION,
            Variant.V3_EQUALITY);
    Set<Variant> equalityAndSpanning = EnumSet.copyOf(equality);
    equalityAndSpanning.add(Variant.V2_POSITION_SPANNING);
    equalityAndSpanning.add(Variant.V3_POSITION_AND_VECTOR);
    return List.of(
        Arguments.of(new Python("polars native", PythonEngine.POLARS_NATIVE), equalityAndSpanning),
        Arguments.of(new Python("polars pyiceberg", PythonEngine.POLARS_PYICEBERG), equality));
  }

  private static Map<Variant, Answer> read(MatrixReader reader) {
    Map<Variant, Table> tables = new EnumMap<>(Variant.class);
    made.forEach((variant, table) -> tables.put(variant, table.table()));
    try {
      return reader.read(tables, Files.createDirectory(folder.resolve(reader.name())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
