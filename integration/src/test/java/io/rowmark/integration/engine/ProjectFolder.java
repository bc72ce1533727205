package io.rowmark.integration.engine;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the project lies. */
public final class ProjectFolder {
  private ProjectFolder() {}

  /** The folder of the project, wherever the tests run. */
  public static Path home() {
    Path here = Path.of("").toAbsolutePath();
    return Files.isDirectory(here.resolve("conf")) ? here : here.getParent();
  }
}
