package io.rowmark.formats.delete;

import io.rowmark.formats.capability.CatalogCapability;
import io.rowmark.formats.capability.DeclaredReader;
import io.rowmark.formats.capability.EngineVersion;
import io.rowmark.formats.capability.ReaderCapability;
import io.rowmark.formats.capability.Stated;
import io.rowmark.formats.capability.Support;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Finds changes of a request after which a format fits; each is tried before it is named. */
final class Remedies {
  private final DeleteRequest request;
  private final List<Ruling> rulings;

  private Remedies(DeleteRequest request, List<Ruling> rulings) {
    this.request = request;
    this.rulings = rulings;
  }

  static List<Remedy> of(DeleteRequest request, List<Ruling> rulings) {
    return new Remedies(request, rulings).all();
  }

  private List<Remedy> all() {
    Set<Set<Remedy.Step>> found = new LinkedHashSet<>();
    for (DeleteFormat format : DeleteFormat.values()) {
      // The same blocker can often be met in several ways; each way is followed throughout once.
      for (int preferred = 0; preferred < 3; preferred++) {
        steps(format, preferred).flatMap(this::least).ifPresent(found::add);
      }
    }
    return found.stream()
        .filter(
            steps ->
                found.stream().noneMatch(other -> !other.equals(steps) && steps.containsAll(other)))
        .map(this::remedy)
        .sorted(
            Comparator.comparingLong(Remedies::losses)
                .thenComparingInt(remedy -> remedy.steps().size())
                .thenComparing(Remedy::format))
        .toList();
  }

  /** How much of what the user has would be given up. */
  private static long losses(Remedy remedy) {
    return remedy.steps().stream()
        .filter(step -> step instanceof Remedy.DropReader || step instanceof Remedy.ChangeCatalog)
        .count();
  }

  private Remedy remedy(Set<Remedy.Step> steps) {
    DeleteRequest mended = apply(steps);
    DeleteFormat format = Rulings.cheapest(Rulings.of(mended)).orElseThrow();
    return new Remedy(List.copyOf(steps), format, TargetVersion.of(mended, format));
  }

  private DeleteRequest apply(Set<Remedy.Step> steps) {
    DeleteRequest mended = request;
    for (Remedy.Step step : steps) {
      mended = step.applyTo(mended);
    }
    return mended;
  }

  /** The steps without those that are not needed; empty where all of them do not help. */
  private Optional<Set<Remedy.Step>> least(Set<Remedy.Step> steps) {
    if (!helps(steps)) {
      return Optional.empty();
    }
    Set<Remedy.Step> least = new LinkedHashSet<>(steps);
    for (Remedy.Step step : steps) {
      Set<Remedy.Step> fewer = new LinkedHashSet<>(least);
      fewer.remove(step);
      if (helps(fewer)) {
        least = fewer;
      }
    }
    return Optional.of(least);
  }

  private boolean helps(Set<Remedy.Step> steps) {
    boolean keepsReader =
        steps.stream().filter(Remedy.DropReader.class::isInstance).count()
            < request.audience().readers().size();
    return keepsReader && Rulings.cheapest(Rulings.of(apply(steps))).isPresent();
  }

  /** One way of meeting everyone who rules the format out; empty where someone cannot be met. */
  private Optional<Set<Remedy.Step>> steps(DeleteFormat format, int preferred) {
    Set<Remedy.Step> steps = new LinkedHashSet<>();
    for (Ruling ruling : rulings) {
      if (ruling.format() == format && ruling.rulesOut()) {
        List<List<Remedy.Step>> ways = ways(ruling);
        if (ways.isEmpty()) {
          return Optional.empty();
        }
        steps.addAll(ways.get(Math.min(preferred, ways.size() - 1)));
      }
    }
    return Optional.of(steps);
  }

  private List<List<Remedy.Step>> ways(Ruling ruling) {
    Party party = ruling.party();
    if (party instanceof Party.Reader reader) {
      return ways(reader.reader(), ruling.format());
    }
    if (party instanceof Party.Catalog catalog) {
      return waysOfCatalog(catalog, ruling.format());
    }
    if (party instanceof Party.Setting setting) {
      return List.of(
          List.of(
              setting.equals(Rulings.DELETE_FORMAT)
                  ? new Remedy.FreeDeletes()
                  : new Remedy.FreeVersion()));
    }
    return party instanceof Party.Table ? waysOfTable() : List.of();
  }

  private List<List<Remedy.Step>> waysOfTable() {
    return request.wishes().upgrade() == Wishes.Upgrade.ALLOWED
        ? List.of()
        : List.of(List.of(new Remedy.AllowUpgrade()));
  }

  private List<List<Remedy.Step>> ways(DeclaredReader reader, DeleteFormat format) {
    List<List<Remedy.Step>> ways = new ArrayList<>();
    newer(reader, format).ifPresent(step -> ways.add(List.of(step)));
    ReaderCapability current = request.data().capability(reader);
    conditions(reader.engine(), format, current::deletes, current.formatV3()).ifPresent(ways::add);
    ways.add(List.of(new Remedy.DropReader(reader)));
    return ways;
  }

  private List<List<Remedy.Step>> waysOfCatalog(Party.Catalog party, DeleteFormat format) {
    List<List<Remedy.Step>> ways = new ArrayList<>();
    CatalogCapability catalog = request.catalog();
    if (catalog != null) {
      conditions(catalog.name(), format, catalog::deletes, catalog.formatV3()).ifPresent(ways::add);
    }
    ways.add(List.of(new Remedy.ChangeCatalog(party.name())));
    return ways;
  }

  /** The first version after the declared one that reads the format. */
  private Optional<Remedy.Step> newer(DeclaredReader reader, DeleteFormat format) {
    Set<String> allowed = request.audience().allowedOf(reader.engine());
    EngineVersion held =
        reader.version() == null
            ? request.data().capability(reader).minVersion()
            : reader.version();
    for (ReaderCapability row : request.data().rows(reader.engine())) {
      EngineVersion version = row.minVersion();
      if (version != null
          && (held == null || version.compareTo(held) > 0)
          && row.deletes(format).value().usable(allowed)
          && (TargetVersion.toRead(request, format) < 3
              || row.formatV3().value().usable(allowed))) {
        return Optional.of(new Remedy.RaiseReader(reader, version, row.release()));
      }
    }
    return Optional.empty();
  }

  /** The conditions to be allowed, where nothing but conditions is in the way. */
  private Optional<List<Remedy.Step>> conditions(
      String product,
      DeleteFormat format,
      Function<DeleteFormat, Stated<Support>> deletes,
      Stated<Support> formatV3) {
    Set<String> allowed = request.audience().allowedOf(product);
    List<Stated<Support>> concerned = new ArrayList<>(List.of(deletes.apply(format)));
    if (TargetVersion.toRead(request, format) >= 3) {
      concerned.add(formatV3);
    }
    List<Remedy.Step> steps = new ArrayList<>();
    for (Stated<Support> stated : concerned) {
      if (!stated.value().usable(allowed)) {
        if (!(stated.value() instanceof Support.Partial partial)) {
          return Optional.empty();
        }
        steps.add(new Remedy.AllowCondition(product + "/" + partial.condition(), partial.note()));
      }
    }
    return Optional.of(steps);
  }
}
