package io.rowmark.integration.live;

import io.rowmark.integration.engine.OwnProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program of integration/debezium, in a virtual machine of its own: Debezium's embedded engine
 * that writes the changes of a database into a landing folder.
 */
final class TopicWriter implements AutoCloseable {
  private static final int END_SECONDS = 60;

  private final Process process;
  private final Path log;

  private TopicWriter(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * @param state folder of what a later start needs to go on
   */
  static TopicWriter start(
      PostgresServer server, Path landing, Path state, String prefix, List<String> tables)
      throws IOException {
    Files.createDirectories(landing);
    Files.createDirectories(state);
    Path log = state.resolve("writer.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                // little runs long enough for the second compiler, which takes a core for a while
                "-XX:TieredStopAtLevel=1",
                "-cp",
                OwnProject.classPath("integration/debezium"),
                "io.rowmark.integration.debezium.WriteTopics",
                landing.toString(),
                state.toString(),
                "127.0.0.1",
                "" + server.port(),
                PostgresServer.DATABASE,
                PostgresServer.USER,
                prefix,
                String.join(",", tables))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new TopicWriter(process, log);
  }

  /** Fails when the program has ended by itself. */
  void check() {
    if (!process.isAlive()) {
      throw new AssertionError(
          "Debezium ended with %d:\n%s".formatted(process.exitValue(), read()));
    }
  }

  private String read() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "its log %s cannot be read: %s".formatted(log, e.getMessage());
    }
  }

  /** Lets it write what it has received, and end. */
  void stop() throws InterruptedException {
    check();
    process.destroy();
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("Debezium did not end in time:\n" + read());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
