package io.rowmark.formats.delete;

import io.rowmark.formats.capability.DeclaredReader;
import io.rowmark.formats.capability.ReaderCapability;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses the cheapest delete format that every declared reader reads and the catalog accepts. Pure
 * and total: every request gets an answer, and the same one each time.
 */
public final class DeleteFormatChooser {
  private DeleteFormatChooser() {}

  public static DeleteDecision choose(DeleteRequest request) {
    List<Ruling> rulings = Rulings.of(request);
    Optional<DeleteFormat> cheapest = Rulings.cheapest(rulings);
    if (cheapest.isPresent()) {
      return fits(request, cheapest.get(), rulings);
    }
    return new DeleteDecision.NoneFits(
        rulings, Conflicts.of(rulings), Remedies.of(request, rulings));
  }

  private static DeleteDecision.Fits fits(
      DeleteRequest request, DeleteFormat format, List<Ruling> rulings) {
    int version = TargetVersion.of(request, format);
    List<Need> needs = new ArrayList<>();
    if (request.table() instanceof TableState.Existing table) {
      if (version > table.formatVersion()) {
        needs.add(
            new Need.UpgradeFormat(
                table.formatVersion(), version, lockedOut(request, format, version)));
      }
      Set<DeleteFormat> unfit = unfit(request, format, table);
      if (!unfit.isEmpty()) {
        needs.add(new Need.ConvertDeletes(unfit));
      }
    }
    if (format != DeleteFormat.EQUALITY) {
      needs.add(new Need.BuildIndex());
    }
    return new DeleteDecision.Fits(format, version, needs, rulings);
  }

  /**
   * Kinds of deletes in the table that must go. Equality deletes do not stay beside an index, which
   * takes over from them. Other kinds stay where everyone reads them: new deletion vectors absorb
   * the position deletes of the files that they touch.
   */
  private static Set<DeleteFormat> unfit(
      DeleteRequest request, DeleteFormat format, TableState.Existing table) {
    Set<DeleteFormat> unfit = EnumSet.noneOf(DeleteFormat.class);
    for (DeleteFormat kind : table.present()) {
      boolean replaced = kind == DeleteFormat.EQUALITY && format != DeleteFormat.EQUALITY;
      if (kind != format && (replaced || !Rulings.everyoneReads(request, kind))) {
        unfit.add(kind);
      }
    }
    return unfit;
  }

  /** Only popular engines that are not declared: a declared one rules such a format out. */
  private static List<String> lockedOut(DeleteRequest request, DeleteFormat format, int version) {
    if (version < 3) {
      return List.of();
    }
    Set<String> declared =
        request.audience().readers().stream()
            .map(DeclaredReader::engine)
            .collect(Collectors.toSet());
    return request.data().popularEngines().stream()
        .filter(engine -> !declared.contains(engine))
        .filter(
            engine -> {
              ReaderCapability current =
                  request.data().capability(new DeclaredReader(engine, null));
              return !current.formatV3().value().usable(Set.of())
                  || !current.deletes(format).value().usable(Set.of());
            })
        .toList();
  }
}
