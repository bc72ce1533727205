package io.rowmark.merge.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.SourcePlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestLandingFolder {
  @TempDir Path root;

  private LandingFolder open(Path folder) {
    return LandingFolder.open(
        new SourcePlace.Folder(folder.toUri().toString()), new Configuration());
  }

  private void land(String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private List<String> names(String topic) {
    return open(root).list(topic).stream().map(InputFile::name).toList();
  }

  @Test
  void filesComeInTheOrderOfTheirOffsetsAsNumbers() throws IOException {
    land("t/partition=0/t+0+100.json", "{}");
    land("t/partition=0/t+0+9.json.gz", "{}");
    land("t/partition=0/t+0+20.json", "{}");
    assertThat(names("t"))
        .containsExactly(
            "t/partition=0/t+0+9.json.gz",
            "t/partition=0/t+0+20.json",
            "t/partition=0/t+0+100.json");
  }

  @Test
  void filesOfOtherNamesComeInTheOrderOfTheirNames() throws IOException {
    land("t/b.json", "{}");
    land("t/a/z.json", "{}");
    land("t/t+0+0.json", "{}");
    assertThat(names("t")).containsExactly("t/a/z.json", "t/b.json", "t/t+0+0.json");
  }

  @Test
  void hiddenSideAndEmptyFilesAreLeftOut() throws IOException {
    land("t/.hidden.json", "{}");
    land("t/_temporary/0/x.json", "{}");
    land("t/_SUCCESS", "x");
    land("t/t+0+0.keys.json", "{}");
    land("t/t+0+0.headers.json.gz", "{}");
    land("t/t+0+1.json", "");
    land("t/t+0+2.json", "{}");
    assertThat(names("t")).containsExactly("t/t+0+2.json");
  }

  @Test
  void aTopicWithoutFolderIsTold() throws IOException {
    land("other/x.json", "{}");
    assertThat(open(root).has("t")).isFalse();
    assertThat(open(root).has("other")).isTrue();
  }

  @Test
  void aTopicTakesOnlyItsOwnFolder() throws IOException {
    land("t/x.json", "{}");
    land("t2/y.json", "{}");
    assertThat(names("t")).containsExactly("t/x.json");
  }

  @Test
  void sizesAreThoseOfTheStore() throws IOException {
    land("t/x.json", "12345");
    assertThat(open(root).list("t").get(0).size()).isEqualTo(5);
  }

  @Test
  void theStartOffsetIsReadFromTheName() {
    assertThat(LandingFolder.startOffset("t/partition=0/a.b+c+0+0000000042.json.gz")).isEqualTo(42);
    assertThat(LandingFolder.startOffset("t/a+42.json")).isNull();
    assertThat(LandingFolder.startOffset("t/a.json")).isNull();
  }

  @Test
  void aMissingFolderSaysWhatToCorrect() {
    assertThatThrownBy(() -> open(root.resolve("nowhere")))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("nowhere' does not exist. Correct source.path.");
  }

  @Test
  void aFileInPlaceOfTheFolderIsRefused() throws IOException {
    land("file", "x");
    assertThatThrownBy(() -> open(root.resolve("file")))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("is not a folder. Set source.path to the folder");
  }
}
