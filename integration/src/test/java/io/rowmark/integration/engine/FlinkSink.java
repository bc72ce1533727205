package io.rowmark.integration.engine;

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
  private FlinkSink() {}

  /** A job on its way. */
  public record Job(Process process, Path output) {
    public boolean runs() {
      return process.isAlive();
    }

    /** Waits for the end. */
    public void await() throws IOException, InterruptedException {
      if (!process.waitFor(5, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("Flink did not end in 5 minutes; see " + output);
      }
      if (process.exitValue() != 0) {
        throw new AssertionError("Flink failed:\n" + Files.readString(output));
      }
    }
  }

  /**
   * Makes and fills the table {@code database.table} of a warehouse in a file system, as {@code
   * UpsertOrders} says.
   */
  public static void upsertOrders(Path warehouse, String database, String table)
      throws IOException, InterruptedException {
    start(List.of(warehouse.toUri().toString(), database, table)).await();
  }

  /** Begins to do so, with the arguments of {@code UpsertOrders}. */
  public static Job start(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    for (String opened : List.of("java.lang", "java.util", "java.nio")) {
      command.add("--add-opens=java.base/%s=ALL-UNNAMED".formatted(opened));
    }
    command.addAll(
        List.of(
            "-cp",
            OwnProject.classPath("integration/flink"),
            "io.rowmark.integration.flink.UpsertOrders"));
    command.addAll(arguments);
    Path output = Files.createTempFile("rowmark-flink", ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new Job(process, output);
  }
}
