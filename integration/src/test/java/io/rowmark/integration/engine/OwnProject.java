package io.rowmark.integration.engine;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program of the tests with a project of its own, since its libraries do not go with Spark's. */
public final class OwnProject {
  private OwnProject() {}

  /**
   * The class path that its build left.
   *
   * @param folder of the project, below the top
   * @throws AssertionError when it is not built
   */
  public static String classPath(String folder) throws IOException {
    Path home = ProjectFolder.home().resolve(folder);
    Path list = home.resolve("target/classpath");
    if (!Files.isRegularFile(list)) {
      throw new AssertionError(
          "%s is missing. Run: mvn -B -f %s/pom.xml package".formatted(list, folder));
    }
    return home.resolve("target/classes") + File.pathSeparator + Files.readString(list).strip();
  }
}
