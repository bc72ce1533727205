package io.rowmark.app.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestWorkingFolder {
  private Path dir = Path.of("");

  @BeforeEach
  void workIn(@TempDir Path folder) {
    dir = folder;
  }

  @Test
  void isRemovedWithWhatTheDemoPutThere() throws IOException {
    Path path = dir.resolve("a/b");
    try (WorkingFolder folder = WorkingFolder.at(path, WorkingFolder.AtEnd.REMOVED)) {
      Files.createDirectories(folder.path().resolve("x/y"));
      Files.writeString(folder.path().resolve("x/y/z"), "");
    }

    assertThat(path).doesNotExist();
    assertThat(dir).exists();
  }

  @Test
  void isKeptOnDemand() throws IOException {
    try (WorkingFolder folder = WorkingFolder.at(dir.resolve("k"), WorkingFolder.AtEnd.KEPT)) {
      Files.writeString(folder.path().resolve("z"), "");
    }

    assertThat(dir.resolve("k/z")).exists();
  }

  @Test
  void isRefusedWhenItHoldsSomething() throws IOException {
    Files.writeString(dir.resolve("mine"), "");

    assertThatThrownBy(() -> WorkingFolder.at(dir, WorkingFolder.AtEnd.REMOVED))
        .hasMessageContaining("is not empty, and the demo starts from nothing");
    assertThat(dir.resolve("mine")).exists();
  }
}
