package io.rowmark.formats.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.DeleteScene.Place;
import io.rowmark.formats.position.FileDeletes.Fate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.util.ContentFileUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestFileDeleteWriter {
  @TempDir Path folder;

  private DeleteScene scene(int formatVersion) {
    return new DeleteScene(folder, formatVersion, PartitionSpec.unpartitioned());
  }

  @Test
  void firstDeletesOfAFileBecomeOneFileScopedDeleteFileOnVersion2() throws IOException {
    DeleteScene scene = scene(2);
    String file = scene.append("eu", 10, 11, 12, 13);
    String other = scene.append("eu", 20, 21);
    FileDeletes deletes = scene.delete(file, 1, 3);
    assertThat(deletes.fate()).isEqualTo(Fate.MASKED);
    assertThat(deletes.newlyDeleted()).isEqualTo(2);
    assertThat(deletes.deletedInAll()).isEqualTo(2);
    assertThat(deletes.replaced()).isEmpty();
    DeleteFile added = only(deletes);
    assertThat(added.format()).isEqualTo(FileFormat.PARQUET);
    assertThat(added.recordCount()).isEqualTo(2);
    assertThat(ContentFileUtil.referencedDataFileLocation(added)).isEqualTo(file);
    assertThat(scene.live(other).deletes()).isEmpty();
    assertThat(scene.stored()).containsExactly(10L, 11L, 12L, 13L, 20L, 21L);
    assertThat(scene.visible()).containsExactly(10L, 12L, 20L, 21L);
  }

  @Test
  void firstDeletesOfAFileBecomeOneVectorOnVersion3() throws IOException {
    DeleteScene scene = scene(3);
    String file = scene.append("eu", 10, 11, 12, 13);
    scene.append("eu", 20, 21);
    FileDeletes deletes = scene.delete(file, 0, 2);
    assertThat(deletes.fate()).isEqualTo(Fate.MASKED);
    assertThat(deletes.deletedInAll()).isEqualTo(2);
    assertThat(deletes.replaced()).isEmpty();
    DeleteFile added = only(deletes);
    assertThat(added.format()).isEqualTo(FileFormat.PUFFIN);
    assertThat(added.recordCount()).isEqualTo(2);
    assertThat(added.referencedDataFile()).isEqualTo(file);
    assertThat(scene.stored()).containsExactly(10L, 11L, 12L, 13L, 20L, 21L);
    assertThat(scene.visible()).containsExactly(11L, 13L, 20L, 21L);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void ownEarlierDeletesAreTakenInAndReplaced(int formatVersion) throws IOException {
    DeleteScene scene = scene(formatVersion);
    String file = scene.append("eu", 10, 11, 12, 13, 14);
    DeleteFile first = only(scene.delete(file, 1));
    FileDeletes second = scene.delete(file, 0, 4);
    assertThat(second.newlyDeleted()).isEqualTo(2);
    assertThat(second.deletedInAll()).isEqualTo(3);
    assertThat(only(second).recordCount()).isEqualTo(3);
    assertThat(second.replaced())
        .extracting(DeleteFile::location)
        .containsExactly(first.location());
    assertThat(scene.live(file).deletes())
        .extracting(DeleteFile::location)
        .containsExactly(only(second).location());
    assertThat(scene.stored()).hasSize(5);
    assertThat(scene.visible()).containsExactly(12L, 13L);
  }

  @Test
  void aDeleteFileThatSpansDataFilesStaysBesideTheNewOneOnVersion2() throws IOException {
    DeleteScene scene = scene(2);
    String file = scene.append("eu", 10, 11, 12, 13);
    String other = scene.append("eu", 20, 21, 22);
    DeleteFile scoped = scene.deleteElsewhere(List.of(new Place(file, 0)));
    DeleteFile spanning = scene.deleteElsewhere(List.of(new Place(file, 1), new Place(other, 2)));
    FileDeletes deletes = scene.delete(file, 3);
    assertThat(deletes.deletedInAll()).isEqualTo(3);
    assertThat(only(deletes).recordCount()).isEqualTo(2);
    assertThat(deletes.replaced())
        .extracting(DeleteFile::location)
        .containsExactly(scoped.location());
    assertThat(scene.live(file).deletes())
        .extracting(DeleteFile::location)
        .containsExactlyInAnyOrder(spanning.location(), only(deletes).location());
    assertThat(scene.stored()).hasSize(7);
    assertThat(scene.visible()).containsExactly(12L, 20L, 21L);
  }

  @Test
  void aVectorTakesInPositionDeletesFromBeforeTheUpgrade() throws IOException {
    DeleteScene scene = scene(2);
    String file = scene.append("eu", 10, 11, 12, 13);
    String other = scene.append("eu", 20, 21, 22);
    DeleteFile scoped = scene.deleteElsewhere(List.of(new Place(file, 0)));
    DeleteFile spanning = scene.deleteElsewhere(List.of(new Place(file, 1), new Place(other, 2)));
    scene.table().updateProperties().set(TableProperties.FORMAT_VERSION, "3").commit();
    FileDeletes deletes = scene.delete(file, 3);
    assertThat(deletes.deletedInAll()).isEqualTo(3);
    assertThat(only(deletes).recordCount()).isEqualTo(3);
    assertThat(deletes.replaced())
        .extracting(DeleteFile::location)
        .containsExactly(scoped.location());
    // the vector hides every position delete of its file; the other file still needs the spanning
    // one
    assertThat(scene.live(file).deletes())
        .extracting(DeleteFile::location)
        .containsExactly(only(deletes).location());
    assertThat(scene.live(other).deletes())
        .extracting(DeleteFile::location)
        .containsExactly(spanning.location());
    assertThat(scene.stored()).hasSize(7);
    assertThat(scene.visible()).containsExactly(12L, 20L, 21L);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aFileWithoutLiveRowsIsDroppedAndNotMasked(int formatVersion) throws IOException {
    DeleteScene scene = scene(formatVersion);
    String file = scene.append("eu", 10, 11, 12);
    scene.append("eu", 20);
    DeleteFile first = only(scene.delete(file, 1));
    FileDeletes deletes = scene.delete(file, 0, 2);
    assertThat(deletes.fate()).isEqualTo(Fate.EMPTIED);
    assertThat(deletes.added()).isEmpty();
    assertThat(deletes.replaced())
        .extracting(DeleteFile::location)
        .containsExactly(first.location());
    assertThat(deletes.newlyDeleted()).isEqualTo(2);
    assertThat(deletes.deletedInAll()).isEqualTo(3);
    assertThat(scene.stored()).containsExactly(20L);
    assertThat(scene.visible()).containsExactly(20L);
  }

  @Test
  void aDroppedFileLeavesASpanningDeleteFileToItsOtherFile() throws IOException {
    DeleteScene scene = scene(2);
    String file = scene.append("eu", 10, 11);
    String other = scene.append("eu", 20, 21);
    scene.deleteElsewhere(List.of(new Place(file, 0), new Place(other, 1)));
    FileDeletes deletes = scene.delete(file, 1);
    assertThat(deletes.fate()).isEqualTo(Fate.EMPTIED);
    assertThat(deletes.replaced()).isEmpty();
    assertThat(scene.stored()).containsExactly(20L, 21L);
    assertThat(scene.visible()).containsExactly(20L);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void deletesCarryTheSpecOfTheirDataFileAndNotTheTables(int formatVersion) throws IOException {
    DeleteScene scene = new DeleteScene(folder, formatVersion, DeleteScene.BY_REGION);
    String old = scene.append("eu", 10, 11, 12);
    scene.table().updateSpec().removeField("region").commit();
    String current = scene.append("eu", 20, 21);
    DeleteFile ofOld = only(scene.delete(old, 0));
    DeleteFile ofCurrent = only(scene.delete(current, 1));
    assertThat(ofOld.specId()).isEqualTo(scene.live(old).file().specId());
    assertThat(ofOld.partition().get(0, String.class)).isEqualTo("eu");
    assertThat(ofCurrent.specId()).isEqualTo(scene.table().spec().specId());
    assertThat(ofOld.specId()).isNotEqualTo(ofCurrent.specId());
    assertThat(only(scene.delete(old, 2)).specId()).isEqualTo(ofOld.specId());
    assertThat(scene.stored()).hasSize(5);
    assertThat(scene.visible()).containsExactly(11L, 20L);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aPositionThatComesTwiceIsRefused(int formatVersion) throws IOException {
    DeleteScene scene = scene(formatVersion);
    String file = scene.append("eu", 10, 11, 12);
    refused(
        () -> scene.write(file, 1, 1),
        "Position 1 of data file '%s' was to be deleted twice. The index has two entries for one row; nothing was committed. Run 'rowmark index verify'."
            .formatted(file));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aPositionBehindTheEndIsRefused(int formatVersion) throws IOException {
    DeleteScene scene = scene(formatVersion);
    String file = scene.append("eu", 10, 11, 12);
    refused(
        () -> scene.write(file, 0, 3),
        "The index points to position 3 of data file '%s', which has 3 rows. Nothing was committed. Run 'rowmark index verify'."
            .formatted(file));
    assertThat(scene.write(file, 0, 2).deletedInAll()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aRowThatIsDeletedAlreadyIsRefused(int formatVersion) throws IOException {
    DeleteScene scene = scene(formatVersion);
    String file = scene.append("eu", 10, 11, 12);
    scene.delete(file, 1);
    refused(
        () -> scene.write(file, 0, 1),
        "The index points to position 1 of data file '%s', which is deleted already. Nothing was committed. Run 'rowmark index verify'."
            .formatted(file));
  }

  @Test
  void aRowThatASpanningFileDeletedAlreadyIsRefused() throws IOException {
    DeleteScene scene = scene(2);
    String file = scene.append("eu", 10, 11, 12);
    String other = scene.append("eu", 20, 21, 22);
    scene.deleteElsewhere(List.of(new Place(file, 0), new Place(other, 2)));
    refused(
        () -> scene.write(file, 0),
        "The index points to position 0 of data file '%s', which is deleted already. Nothing was committed. Run 'rowmark index verify'."
            .formatted(file));
    // the same position of the other file is alive
    assertThat(scene.write(other, 0).deletedInAll()).isEqualTo(2);
  }

  @Test
  void equalityDeletesAreNotItsBusiness() {
    DeleteScene scene = scene(2);
    assertThatThrownBy(
            () ->
                new FileDeleteWriter(
                    scene.table(),
                    DeleteFormat.EQUALITY,
                    OutputFileFactory.builderFor(scene.table(), 0, 0).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Equality deletes have no positions");
  }

  @Test
  void aPathThatIsNotLiveIsRefused() throws IOException {
    DeleteScene scene = scene(2);
    scene.append("eu", 10);
    refused(
        () -> scene.live("elsewhere.parquet"),
        "The index names the data file 'elsewhere.parquet', which is not live in %s. The index is stale; nothing was committed. Run 'rowmark index build' for this table."
            .formatted(scene.table().name()));
  }

  private static DeleteFile only(FileDeletes deletes) {
    assertThat(deletes.added()).hasSize(1);
    return deletes.added().get(0);
  }

  private static void refused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.TABLE_STATE))
        .hasMessage(message);
  }
}
