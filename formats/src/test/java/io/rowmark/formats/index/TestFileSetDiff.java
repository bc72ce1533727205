package io.rowmark.formats.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.index.FileState.EqualityDelete;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TestFileSetDiff {
  private static FileState file(@Nullable Long firstRowId, Set<String> positional) {
    return new FileState(10, firstRowId, positional, Set.of());
  }

  private static FileState file(String... positional) {
    return file(0L, Set.of(positional));
  }

  private static FileState equality(Set<String> positional, String... equality) {
    Set<EqualityDelete> deletes =
        Stream.of(equality)
            .map(name -> new EqualityDelete(name, Set.of(name.startsWith("key") ? 1 : 9)))
            .collect(Collectors.toSet());
    return new FileState(10, 0L, positional, deletes);
  }

  private static FileSetDiff diff(
      Set<String> vanished, Set<String> unknown, Set<String> masked, Set<String> uncertain) {
    return new FileSetDiff(vanished, unknown, masked, Set.of(), uncertain);
  }

  private static FileSetDiff since(Map<String, FileState> covered, Map<String, FileState> live) {
    return FileSetDiff.since(covered, live, Set.of(1, 2));
  }

  private static final FileSetDiff NOTHING = diff(Set.of(), Set.of(), Set.of(), Set.of());
  private static final FileSetDiff UNCERTAIN = diff(Set.of(), Set.of(), Set.of(), Set.of("a"));
  private static final FileSetDiff ERASED =
      new FileSetDiff(Set.of(), Set.of(), Set.of(), Set.of("a"), Set.of());
  private static final FileSetDiff MASKED = diff(Set.of(), Set.of(), Set.of("a"), Set.of());

  @Test
  void filesComeAndGo() {
    Map<String, FileState> covered = Map.of("a", file(), "b", file("d1"));
    Map<String, FileState> live = Map.of("b", file("d1"), "c", file("d2"));
    assertThat(since(covered, live)).isEqualTo(diff(Set.of("a"), Set.of("c"), Set.of(), Set.of()));
    assertThat(since(Map.of(), live).unknown()).containsExactlyInAnyOrder("b", "c");
    assertThat(since(covered, Map.of()).vanished()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void unchangedDeletesChangeNothing() {
    Map<String, FileState> same = Map.of("a", equality(Set.of("d1"), "e1"), "b", file("d1"));
    assertThat(since(same, same)).isEqualTo(NOTHING);
  }

  @Test
  void positionalDeletesThatCameOrWentMaskAFile() {
    assertThat(since(Map.of("a", file()), Map.of("a", file("d1")))).isEqualTo(MASKED);
    assertThat(since(Map.of("a", file("d1")), Map.of("a", file()))).isEqualTo(MASKED);
    assertThat(since(Map.of("a", file("d1@4")), Map.of("a", file("d1@90")))).isEqualTo(MASKED);
  }

  @Test
  void equalityDeletesThatCameOrWentLeaveAFileUncertain() {
    FileState none = file();
    FileState one = equality(Set.of(), "e1");
    assertThat(since(Map.of("a", none), Map.of("a", one))).isEqualTo(UNCERTAIN);
    assertThat(since(Map.of("a", one), Map.of("a", none))).isEqualTo(UNCERTAIN);
    assertThat(
            since(
                Map.of("a", equality(Set.of("d1"), "e1")),
                Map.of("a", equality(Set.of("d2"), "e1"))))
        .as("rows that a position delete gave back may be hidden by value")
        .isEqualTo(UNCERTAIN);
  }

  @Test
  void deletesThatEntriesCanBeComparedWithEraseThem() {
    FileState none = file();
    FileState byKey = equality(Set.of(), "key1");
    assertThat(since(Map.of("a", none), Map.of("a", byKey))).isEqualTo(ERASED);
    assertThat(since(Map.of("a", byKey), Map.of("a", equality(Set.of("d1"), "key1"))))
        .isEqualTo(ERASED);
    assertThat(since(Map.of("a", byKey), Map.of("a", equality(Set.of(), "key1", "key2"))))
        .isEqualTo(ERASED);
    assertThat(since(Map.of("a", byKey), Map.of("a", equality(Set.of(), "key1", "e1"))))
        .isEqualTo(UNCERTAIN);
    assertThat(since(Map.of("a", byKey), Map.of("a", none))).isEqualTo(UNCERTAIN);
    assertThat(since(Map.of("a", file("d1")), Map.of("a", equality(Set.of("d2"), "key1"))))
        .isEqualTo(UNCERTAIN);
  }

  @Test
  void otherRowIdsLeaveAFileUncertainAndFirstOnesDoNot() {
    assertThat(since(Map.of("a", file(0L, Set.of())), Map.of("a", file(100L, Set.of()))))
        .isEqualTo(UNCERTAIN);
    assertThat(since(Map.of("a", file(null, Set.of())), Map.of("a", file(100L, Set.of()))))
        .isEqualTo(NOTHING);
  }

  @Test
  void entriesAloneTellFilesAndCounts() {
    Map<String, FileState> live =
        Map.of(
            "full", file(),
            "short", file(),
            "deleted", file("d1"),
            "by value", equality(Set.of(), "e1"),
            "new", file());
    Map<String, Long> entries =
        Map.of("full", 10L, "short", 9L, "deleted", 10L, "by value", 9L, "gone", 3L);
    assertThat(FileSetDiff.ofEntries(entries, live))
        .isEqualTo(
            diff(Set.of("gone"), Set.of("new"), Set.of("deleted"), Set.of("short", "by value")));
  }

  @Test
  void revivedFilesAreReadAgain() {
    FileSetDiff diff = diff(Set.of("v"), Set.of("n"), Set.of("a", "b"), Set.of("c"));
    FileSetDiff revived = diff.withRevived(Set.of("b"));
    assertThat(revived).isEqualTo(diff(Set.of("v"), Set.of("n"), Set.of("a"), Set.of("b", "c")));
    assertThat(revived.toRead()).containsExactlyInAnyOrder("n", "b", "c");
    assertThat(revived.withStaleEntries()).containsExactlyInAnyOrder("v", "a", "b", "c");
  }
}
