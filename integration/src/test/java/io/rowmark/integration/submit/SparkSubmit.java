package io.rowmark.integration.submit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.Table;

/**
 * Runs the shaded jar by the {@code spark-submit} of the pyspark package, on a cluster whose
 * executors have virtual machines of their own.
 *
 * @param home pyspark's folder
 */
record SparkSubmit(Path home, Path workFolder) {
  private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
  private static final Path JAR = PROJECT.resolve("app/target/rowmark.jar");

  /** How a run ended. */
  record Ended(int exitCode, String output) {}

  static SparkSubmit in(Path workFolder) throws IOException, InterruptedException {
    if (!Files.isRegularFile(JAR)) {
      throw new IllegalStateException(
          JAR + " is missing. Run 'mvn verify' at the top, which packages it before these tests.");
    }
    return new SparkSubmit(pyspark(), workFolder);
  }

  private static Path pyspark() throws IOException, InterruptedException {
    String set = System.getenv("ROWMARK_TEST_PYTHON");
    Path python = set == null ? Path.of("target/python/bin/python") : Path.of(set);
    if (!Files.isExecutable(python)) {
      throw new IllegalStateException(
          ("No Python at %s. Make it with 'python3 -m venv integration/target/python' and"
                  + " 'integration/target/python/bin/pip install -r integration/requirements.txt',"
                  + " or name another one in ROWMARK_TEST_PYTHON.")
              .formatted(python.toAbsolutePath()));
    }
    Process process =
        new ProcessBuilder(
                python.toString(),
                "-c",
                "import importlib.util as u; print(u.find_spec('pyspark').submodule_search_locations[0])")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String folder =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(
          "The Python at %s has no pyspark. Install integration/requirements.txt into it."
              .formatted(python));
    }
    return Path.of(folder);
  }

  /** The folder of the project. */
  static Path project() {
    return PROJECT;
  }

  /** Folder of Spark's event logs, one file a run. */
  Path eventLogs() {
    return workFolder.resolve("events");
  }

  /** Runs Rowmark with a command line. */
  Ended run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Files.createDirectories(eventLogs());
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/spark-submit").toString());
    command.addAll(List.of("--master", "local-cluster[2,1,1024]", "--driver-memory", "1g"));
    command.addAll(List.of("--class", "io.rowmark.app.Main", "--jars", icebergJar()));
    conf(command, "spark.ui.enabled=false");
    conf(command, "spark.driver.bindAddress=127.0.0.1");
    conf(command, "spark.driver.host=127.0.0.1");
    conf(command, "spark.sql.shuffle.partitions=2");
    conf(command, "spark.eventLog.enabled=true");
    conf(command, "spark.eventLog.compress=false");
    conf(command, "spark.eventLog.rolling.enabled=false");
    conf(command, "spark.eventLog.dir=" + eventLogs().toUri());
    command.add(JAR.toString());
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(workFolder, "submit", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(workFolder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(10, TimeUnit.MINUTES);
    process.destroyForcibly();
    String text = Files.readString(output);
    if (!ended) {
      throw new IllegalStateException("spark-submit did not end; it said: " + text);
    }
    return new Ended(process.exitValue(), text);
  }

  private static void conf(List<String> command, String setting) {
    command.addAll(List.of("--conf", setting));
  }

  private static String icebergJar() {
    return Table.class.getProtectionDomain().getCodeSource().getLocation().getPath();
  }
}
