package io.rowmark.integration.command;

import io.rowmark.app.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What came of a command that was run as a user runs it, in this JVM.
 *
 * @param code the exit code
 */
public record CommandRun(int code, String out, String err) {

  /** Runs a command with a configuration. */
  public static CommandRun of(Path config, String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("--config", config.toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(out, true), new PrintWriter(err, true), line.toArray(String[]::new));
    return new CommandRun(code, out.toString(), err.toString());
  }

  /** Lines of a configuration that name a catalog. */
  public static String catalog(String name, Map<String, String> properties) {
    StringBuilder lines = new StringBuilder("catalog.name = %s\n".formatted(name));
    properties.forEach(
        (key, value) -> lines.append("catalog.properties.%s = \"%s\"\n".formatted(key, value)));
    return lines.toString();
  }

  /** All that was printed. */
  public String said() {
    return out + err;
  }
}
