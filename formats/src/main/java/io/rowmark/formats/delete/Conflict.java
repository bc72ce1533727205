package io.rowmark.formats.delete;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Parties that exclude each other: together they rule out every format, and none of them can be
 * left out.
 *
 * @param parties one to three
 * @param rulings with which they do so
 */
public record Conflict(List<Party> parties, List<Ruling> rulings) {
  public Conflict {
    parties = List.copyOf(parties);
    rulings = List.copyOf(rulings);
  }

  /** For a message: who, and what each rules out. */
  public String text() {
    return rulings.stream()
        .map(ruling -> "%s %s".formatted(ruling.party().text(), ruling.reason()))
        .distinct()
        .collect(Collectors.joining("; "));
  }
}
