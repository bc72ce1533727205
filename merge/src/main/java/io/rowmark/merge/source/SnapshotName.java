package io.rowmark.merge.source;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identity in the ledger of a snapshot of a source table, as in {@code
 * lake.parcels#12@48151623}.
 *
 * @param source name of the source table
 * @param number 1 for the first snapshot that a target table took from it, 2 for the next: a source
 *     that is rolled back may come to the same snapshot twice, and neither clocks nor sequence
 *     numbers then tell which one was read last
 * @param snapshot id of the snapshot up to which the source is read
 */
record SnapshotName(String source, long number, long snapshot) {
  private static final Pattern TEXT = Pattern.compile("(.+)#(\\d+)@(\\d+)");

  static Optional<SnapshotName> of(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new SnapshotName(
                matcher.group(1),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3))))
        : Optional.empty();
  }

  /** Up to where a target table has read its source; empty for nothing yet. */
  static Optional<SnapshotName> last(SeenInputs seen, String target, String source) {
    return seen.namesOf(target).stream()
        .flatMap(name -> of(name).stream())
        .filter(name -> name.source().equals(source))
        .max(Comparator.comparingLong(SnapshotName::number));
  }

  @Override
  public String toString() {
    return source + "#" + number + "@" + snapshot;
  }
}
