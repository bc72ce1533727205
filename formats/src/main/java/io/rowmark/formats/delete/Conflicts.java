package io.rowmark.formats.delete;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the smallest groups of parties that leave no format. */
final class Conflicts {
  private Conflicts() {}

  /** Every group that rules out all formats and of which nobody can be left out; least first. */
  static List<Conflict> of(List<Ruling> rulings) {
    Map<Party, Set<DeleteFormat>> excluded = new LinkedHashMap<>();
    for (Ruling ruling : rulings) {
      Set<DeleteFormat> formats =
          excluded.computeIfAbsent(ruling.party(), party -> EnumSet.noneOf(DeleteFormat.class));
      if (ruling.rulesOut()) {
        formats.add(ruling.format());
      }
    }
    excluded.values().removeIf(Set::isEmpty);
    List<List<Party>> minimal = new ArrayList<>();
    // In a smallest group each party rules out a format that no other does: no more than formats.
    for (int size = 1; size <= DeleteFormat.values().length; size++) {
      extend(List.of(), size, List.copyOf(excluded.keySet()), excluded, minimal);
    }
    return minimal.stream().map(parties -> new Conflict(parties, said(parties, rulings))).toList();
  }

  private static void extend(
      List<Party> chosen,
      int missing,
      List<Party> rest,
      Map<Party, Set<DeleteFormat>> excluded,
      List<List<Party>> minimal) {
    if (missing == 0) {
      if (leavesNothing(chosen, excluded)
          && minimal.stream().noneMatch(smaller -> chosen.containsAll(smaller))) {
        minimal.add(chosen);
      }
      return;
    }
    for (int next = 0; next < rest.size(); next++) {
      List<Party> longer = new ArrayList<>(chosen);
      longer.add(rest.get(next));
      extend(longer, missing - 1, rest.subList(next + 1, rest.size()), excluded, minimal);
    }
  }

  private static boolean leavesNothing(
      List<Party> parties, Map<Party, Set<DeleteFormat>> excluded) {
    Set<DeleteFormat> left = EnumSet.allOf(DeleteFormat.class);
    parties.forEach(party -> left.removeAll(excluded.getOrDefault(party, Set.of())));
    return left.isEmpty();
  }

  private static List<Ruling> said(List<Party> parties, List<Ruling> rulings) {
    return rulings.stream()
        .filter(ruling -> ruling.rulesOut() && parties.contains(ruling.party()))
        .toList();
  }
}
