package io.rowmark.formats.capability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TestCapabilityDocument {
  private static final Path DOCUMENT = Path.of("..", "docs", "readers.md");

  @Test
  void documentSaysWhatTheDataSays() throws IOException {
    String expected = new CapabilityDocument(CapabilityData.bundled()).markdown();
    if ("write".equals(System.getProperty("rowmark.docs"))) {
      Files.writeString(DOCUMENT, expected);
    }

    assertThat(DOCUMENT)
        .as("docs/readers.md is out of date; its first lines say how to make it again")
        .hasContent(expected);
  }
}
