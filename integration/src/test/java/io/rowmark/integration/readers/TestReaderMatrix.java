package io.rowmark.integration.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.index.testing.LocalSpark;
import io.rowmark.integration.engine.Answer;
import io.rowmark.integration.engine.PythonEngine;
import io.rowmark.integration.readers.MatrixReader.Python;
import io.rowmark.integration.readers.MatrixReader.Spark;
import io.rowmark.integration.readers.VariantTables.Made;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Engines, really run, read what the capability data says that they read, and nothing else. */
class TestReaderMatrix {
  @TempDir private static Path folder;
  private static Map<Variant, Made> made;

  static List<MatrixReader> readers() {
    return List.of(
        new Spark(),
        new Python("pyiceberg", PythonEngine.PYICEBERG),
        new Python("duckdb", PythonEngine.DUCKDB),
        new Python("clickhouse", PythonEngine.CLICKHOUSE),
        new Python("polars native", PythonEngine.POLARS_NATIVE),
        new Python("polars pyiceberg", PythonEngine.POLARS_PYICEBERG));
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
  @MethodSource("readers")
  void engineReadsWhatIsSaidOfIt(MatrixReader reader) throws IOException {
    Path output = Files.createDirectory(folder.resolve(reader.name()));
    Map<Variant, Table> tables = new EnumMap<>(Variant.class);
    made.forEach((variant, table) -> tables.put(variant, table.table()));
    Map<Variant, Answer> answers = reader.read(tables, output);
    answers.forEach(
        (variant, answer) -> {
          Seen seen = Seen.of(answer, made.get(variant));
          System.out.printf(
              "%s %s %s %s %s%n",
              reader.name(), answer.version(), variant, seen.kind(), seen.detail());
        });
  }
}
