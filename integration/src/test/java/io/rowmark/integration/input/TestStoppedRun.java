package io.rowmark.integration.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.ShellMain;
import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that goes from batch to batch and is asked to end. */
@Tag("long")
class TestStoppedRun {
  private static final int FILES = 200;

  @Test
  void theBatchThatRunsIsEndedAndTheNextRunGoesOn(@TempDir Path folder) throws Exception {
    LocalSpark.session();
    try (EmbeddedCatalog embedded = EmbeddedCatalog.start(folder.resolve("catalog"), 0)) {
      Project project = new Project(folder, "stopped", embedded);
      project.configure("mode = append-only, columns { id = long }", "batch.max-files = 1");
      for (int file = 0; file < FILES; file++) {
        project.land(file + ".json", project.insert("{\"id\":%d}".formatted(file)));
      }

      Process process = start(project);
      List<String> lines = new ArrayList<>();
      try (BufferedReader out = process.inputReader()) {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          lines.add(line);
          if (line.startsWith("Committed batch") && committed(lines) == 2) {
            // the signal TERM; Process.destroy would also close the stream that is read here
            process.toHandle().destroy();
          }
        }
      }

      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
      long batches = committed(lines);
      assertThat(batches).isBetween(2L, FILES - 1L);
      assertThat(lines)
          .contains(
              "Stopped after %d batches by the signal TERM; more input may wait."
                  .formatted(batches));
      assertThat(project.rows()).isEqualTo(batches);

      assertThat(project.run("ingest", "--set", "batch.max-files=1000")).as(project.err()).isZero();
      assertThat(project.rows()).isEqualTo(FILES);
    }
  }

  private static long committed(List<String> lines) {
    return lines.stream().filter(line -> line.startsWith("Committed batch")).count();
  }

  private static Process start(Project project) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(
            argument -> argument.startsWith("--add-opens") || argument.startsWith("-XX:+Ignore"))
        .forEach(command::add);
    command.addAll(List.of("-Xmx1g", "-cp", System.getProperty("java.class.path")));
    command.add(ShellMain.class.getName());
    command.addAll(List.of("ingest", "--until-caught-up", "--config", project.config().toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }
}
