package io.rowmark.integration.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.TableSpec.Mode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * A batch is killed with signal 9 at each point where it can be cut off; the next run must end what
 * was begun. Each case works on the tables that the case before left, so that rounds pile up.
 */
@Tag("long")
class TestKilledBatch {
  @TempDir private static Path folder;
  private static EmbeddedCatalog embedded;

  /** Where a batch dies. */
  private record Cut(Checkpoint checkpoint, int time) {
    @Override
    public String toString() {
      return checkpoint + (time == 1 ? "" : ", second table");
    }
  }

  @BeforeAll
  static void startCatalog() {
    // in this process: only the pipeline dies
    embedded = EmbeddedCatalog.start(folder.resolve("embedded"), 0);
  }

  @AfterAll
  static void stopCatalog() throws SQLException {
    embedded.close();
    // Spark never closes its catalogs, and an open database keeps writing to the folder
    try (Connection database = DriverManager.getConnection(database());
        Statement statement = database.createStatement()) {
      statement.execute("SHUTDOWN");
    }
  }

  private static String database() {
    return "jdbc:h2:%s;AUTO_SERVER=TRUE;DATABASE_TO_UPPER=FALSE"
        .formatted(folder.resolve("jdbc/catalog"));
  }

  @TestFactory
  Stream<DynamicTest> atomicCommitIsAllOrNothing() {
    Scene scene =
        scene("atomic3", embedded.clientProperties(), CommitSpec.Mode.ATOMIC, 3, Mode.KEYED);
    return cases(
        scene,
        Stream.of(
                Checkpoint.INPUTS_LISTED,
                Checkpoint.TABLES_OPENED,
                Checkpoint.CHANGES_NORMALIZED,
                Checkpoint.POSITIONS_RESOLVED,
                Checkpoint.DATA_WRITTEN,
                Checkpoint.DELETES_WRITTEN,
                Checkpoint.BATCH_STAGED,
                Checkpoint.BATCH_COMMITTED)
            .map(point -> new Cut(point, 1)));
  }

  @TestFactory
  Stream<DynamicTest> orderedCommitIsEndedByTheNextRun() {
    Map<String, String> hadoop =
        Map.of("type", "hadoop", "warehouse", folder.resolve("hadoop").toUri().toString());
    return cases(
        scene("ordered3", hadoop, CommitSpec.Mode.ORDERED, 3, Mode.KEYED),
        Stream.of(
            new Cut(Checkpoint.TABLES_OPENED, 1),
            new Cut(Checkpoint.DATA_COMMITTED, 1),
            new Cut(Checkpoint.DELETES_WRITTEN, 1),
            new Cut(Checkpoint.BATCH_STAGED, 1),
            new Cut(Checkpoint.INTENT_RECORDED, 1),
            new Cut(Checkpoint.INDEX_COMMITTED, 1),
            new Cut(Checkpoint.INTENT_RECORDED, 2),
            new Cut(Checkpoint.DATA_COMMITTED, 2),
            new Cut(Checkpoint.INDEX_COMMITTED, 2),
            new Cut(Checkpoint.BATCH_COMMITTED, 1)));
  }

  @TestFactory
  Stream<DynamicTest> orderedCommitOfFormatTwoInADatabaseIsEndedByTheNextRun() {
    Map<String, String> jdbc =
        Map.of(
            "type",
            "jdbc",
            "uri",
            database(),
            "jdbc.schema-version",
            "V1",
            "warehouse",
            folder.resolve("jdbc/warehouse").toUri().toString());
    return cases(
        scene("ordered2", jdbc, CommitSpec.Mode.ORDERED, 2, Mode.APPEND_ONLY),
        Stream.of(
            new Cut(Checkpoint.INTENT_RECORDED, 2),
            new Cut(Checkpoint.DATA_COMMITTED, 2),
            new Cut(Checkpoint.DATA_COMMITTED, 1)));
  }

  private static Scene scene(
      String name, Map<String, String> catalog, CommitSpec.Mode mode, int version, Mode first) {
    return new Scene(folder.resolve(name), "unnamed", catalog, mode, version, first);
  }

  /** The first cut hits tables that do not exist yet, the others tables with rows and an index. */
  private static Stream<DynamicTest> cases(Scene template, Stream<Cut> cuts) {
    LocalCatalog catalog = LocalSpark.catalog(template.catalog());
    Scene scene = template.named(catalog.name());
    Rounds rounds = new Rounds(scene.landing());
    Survivor survivor = new Survivor(scene, catalog, rounds);
    return cuts.map(
        cut ->
            DynamicTest.dynamicTest(
                cut.toString(),
                () -> {
                  rounds.land();
                  kill(scene, cut);
                  survivor.assertConverges();
                }));
  }

  private static void kill(Scene scene, Cut cut) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // what Spark needs of the virtual machine was given to this one
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--") || argument.startsWith("-XX:+Ignore"))
        .forEach(command::add);
    command.addAll(List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    // for a few rows, compiling queries takes longer than running them
    command.add("-Dspark.sql.codegen.wholeStage=false");
    command.add("-Dspark.sql.codegen.factoryMode=NO_CODEGEN");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(KilledBatch.class.getName());
    command.addAll(List.of(cut.checkpoint().name(), Integer.toString(cut.time())));
    command.addAll(scene.toArguments());
    Path output = Files.createTempFile(folder, "killed", ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("the batch ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue())
        .as(() -> "end of the killed batch; it said: " + text(output))
        .isEqualTo(KilledBatch.KILLED);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
