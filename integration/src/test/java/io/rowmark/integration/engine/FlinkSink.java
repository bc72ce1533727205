package io.rowmark.integration.engine;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program of integration/flink, in a virtual machine of its own: its class path holds another
 * Iceberg than this one's.
 */
public final class FlinkSink {
  private static final Path HOME = ProjectFolder.home().resolve("integration/flink");

  private FlinkSink() {}

  /**
   * Makes and fills the table {@code database.table} of a warehouse in a file system, as {@code
   * UpsertOrders} says.
   */
  public static void upsertOrders(Path warehouse, String database, String table)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    for (String opened : List.of("java.lang", "java.util", "java.nio")) {
      command.add("--add-opens=java.base/%s=ALL-UNNAMED".formatted(opened));
    }
    command.addAll(List.of("-cp", classPath(), "io.rowmark.integration.flink.UpsertOrders"));
    command.addAll(List.of(warehouse.toUri().toString(), database, table));
    Path output = Files.createTempFile("rowmark-flink", ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("Flink did not end in 5 minutes; see " + output);
    }
    if (process.exitValue() != 0) {
      throw new AssertionError("Flink failed:\n" + Files.readString(output));
    }
  }

  private static String classPath() throws IOException {
    Path list = HOME.resolve("target/classpath");
    if (!Files.isRegularFile(list)) {
      throw new AssertionError(
          "%s is missing. Run: mvn -B -f integration/flink/pom.xml package".formatted(list));
    }
    return HOME.resolve("target/classes") + File.pathSeparator + Files.readString(list).strip();
  }
}
