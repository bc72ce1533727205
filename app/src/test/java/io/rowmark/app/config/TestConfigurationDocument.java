package io.rowmark.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TestConfigurationDocument {
  private static final Path DOCUMENT = Path.of("..", "docs", "configuration.md");

  @Test
  void everySettingAndSectionHasAComment() {
    assertThat(ReferenceDocument.read().entries())
        .hasSizeGreaterThan(30)
        .allSatisfy(entry -> assertThat(entry.comment()).as(entry.path()).hasSizeGreaterThan(15));
  }

  @Test
  void documentSaysWhatTheReferenceSays() throws IOException {
    String expected = ReferenceDocument.read().markdown();
    if ("write".equals(System.getProperty("rowmark.docs"))) {
      Files.createDirectories(DOCUMENT.getParent());
      Files.writeString(DOCUMENT, expected);
    }

    assertThat(DOCUMENT)
        .as("docs/configuration.md is out of date; its first lines say how to make it again")
        .hasContent(expected);
  }
}
