package io.rowmark.formats.delete;

import io.rowmark.formats.capability.CatalogCapability;
import io.rowmark.formats.capability.DeclaredReader;
import io.rowmark.formats.capability.Evidence;
import io.rowmark.formats.capability.ReaderCapability;
import io.rowmark.formats.capability.Stated;
import io.rowmark.formats.capability.Support;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What each party says of each format. */
final class Rulings {
  static final Party DELETE_FORMAT = new Party.Setting("delete-format");
  static final Party FORMAT_VERSION = new Party.Setting("format-version");

  private Rulings() {}

  /** One ruling for each format and party, in order of cost. */
  static List<Ruling> of(DeleteRequest request) {
    List<Ruling> rulings = new ArrayList<>();
    for (DeleteFormat format : DeleteFormat.values()) {
      wantedDeletes(request, format).ifPresent(rulings::add);
      wantedVersion(request, format).ifPresent(rulings::add);
      rulings.add(table(request, format));
      rulings.add(catalog(request, format));
      request.audience().readers().forEach(reader -> rulings.add(reader(request, reader, format)));
    }
    return rulings;
  }

  /** The first format that nobody rules out. */
  static Optional<DeleteFormat> cheapest(List<Ruling> rulings) {
    return Arrays.stream(DeleteFormat.values())
        .filter(
            format ->
                rulings.stream()
                    .noneMatch(ruling -> ruling.format() == format && ruling.rulesOut()))
        .findFirst();
  }

  /** Whether deletes of a kind that lie in the table already suit all readers and the catalog. */
  static boolean everyoneReads(DeleteRequest request, DeleteFormat kind) {
    CatalogCapability catalog = request.catalog();
    return request.audience().readers().stream()
            .allMatch(
                reader ->
                    request
                        .data()
                        .capability(reader)
                        .deletes(kind)
                        .value()
                        .usable(request.audience().allowedOf(reader.engine())))
        && (catalog == null
            || catalog.deletes(kind).value().usable(request.audience().allowedOf(catalog.name())));
  }

  private static Optional<Ruling> wantedDeletes(DeleteRequest request, DeleteFormat format) {
    return request
        .wishes()
        .deletes()
        .format()
        .map(
            wanted ->
                wanted == format
                    ? allowed(DELETE_FORMAT, format, "asks for %s".formatted(wanted.text()), null)
                    : refused(DELETE_FORMAT, format, "asks for %s".formatted(wanted.text())));
  }

  private static Optional<Ruling> wantedVersion(DeleteRequest request, DeleteFormat format) {
    OptionalInt wanted = request.wishes().version().number();
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    int version = wanted.getAsInt();
    if (request.table() instanceof TableState.Existing table && table.formatVersion() > version) {
      return Optional.of(
          refused(
              FORMAT_VERSION,
              format,
              "asks for version %d, but the table is of version %d, and there is no way back"
                  .formatted(version, table.formatVersion())));
    }
    if (version < TargetVersion.first(format)) {
      return Optional.of(
          refused(
              FORMAT_VERSION,
              format,
              "asks for version %d, which has no %s deletes".formatted(version, format.text())));
    }
    if (format == DeleteFormat.POSITION && version >= 3) {
      return Optional.of(
          refused(
              FORMAT_VERSION,
              format,
              "asks for version %d, which allows no new position deletes".formatted(version)));
    }
    return Optional.of(
        allowed(FORMAT_VERSION, format, "asks for version %d".formatted(version), null));
  }

  private static Ruling table(DeleteRequest request, DeleteFormat format) {
    Party party = new Party.Table();
    if (!(request.table() instanceof TableState.Existing table)) {
      return allowed(party, format, "is new", null);
    }
    int version = table.formatVersion();
    if (version > TargetVersion.NEWEST) {
      return refused(
          party,
          format,
          "is of format version %d; Rowmark knows versions up to %d"
              .formatted(version, TargetVersion.NEWEST));
    }
    int target = TargetVersion.of(request, format);
    if (format == DeleteFormat.POSITION && version >= 3) {
      return refused(party, format, "is of format version 3, which allows no new position deletes");
    }
    if (target > version && request.wishes().upgrade() == Wishes.Upgrade.REFUSED) {
      return refused(
          party,
          format,
          "is of format version %d, and an upgrade to %d is not allowed"
              .formatted(version, target));
    }
    return allowed(
        party,
        format,
        target > version
            ? "is of format version %d; the upgrade to %d is allowed".formatted(version, target)
            : "is of format version %d".formatted(version),
        null);
  }

  private static Ruling catalog(DeleteRequest request, DeleteFormat format) {
    CatalogCapability catalog = request.catalog();
    if (catalog == null) {
      return allowed(
          new Party.UnknownCatalog(),
          format,
          "is not in the capability data, so nothing is ruled out on its account",
          null);
    }
    return ruling(
        new Party.Catalog(catalog.name()),
        format,
        new Wording("accepts", "accept"),
        deciding(
            catalog.deletes(format),
            catalog.formatV3(),
            TargetVersion.toRead(request, format),
            request.audience().allowedOf(catalog.name())));
  }

  private static Ruling reader(DeleteRequest request, DeclaredReader reader, DeleteFormat format) {
    ReaderCapability capability = request.data().capability(reader);
    return ruling(
        new Party.Reader(reader),
        format,
        new Wording("reads", "read"),
        deciding(
            capability.deletes(format),
            capability.formatV3(),
            TargetVersion.toRead(request, format),
            request.audience().allowedOf(reader.engine())));
  }

  /**
   * The statement that decides: that on format version 3 where the table would have it and it is
   * not supported, else that on the delete format.
   */
  private record Deciding(boolean usable, boolean onVersion3, Stated<Support> stated) {}

  private static Deciding deciding(
      Stated<Support> deletes, Stated<Support> formatV3, int version, Set<String> allowed) {
    boolean readsVersion = version < 3 || formatV3.value().usable(allowed);
    return readsVersion
        ? new Deciding(deletes.value().usable(allowed), false, deletes)
        : new Deciding(false, true, formatV3);
  }

  /** The verb of a party, as in "trino reads" and "does not read". */
  private record Wording(String does, String infinitive) {}

  private static Ruling ruling(Party party, DeleteFormat format, Wording verb, Deciding deciding) {
    Support support = deciding.stated().value();
    Evidence evidence = deciding.stated().evidence();
    String what = deciding.onVersion3() ? "tables of format version 3" : plural(format);
    String reason = reason(support, verb, what, deciding.usable());
    return deciding.usable()
        ? allowed(party, format, reason, evidence)
        : new Ruling(party, format, Ruling.Verdict.RULED_OUT, reason, support.failure(), evidence);
  }

  private static String plural(DeleteFormat format) {
    return switch (format) {
      case EQUALITY -> "equality deletes";
      case POSITION -> "position deletes";
      case DELETION_VECTOR -> "deletion vectors";
    };
  }

  private static String reason(Support support, Wording verb, String what, boolean usable) {
    if (support instanceof Support.Partial partial) {
      return "%s %s only under the condition %s (%s), which is %s"
          .formatted(
              verb.does(),
              what,
              partial.condition(),
              partial.note(),
              usable ? "allowed" : "not allowed");
    }
    if (usable) {
      return "%s %s".formatted(verb.does(), what);
    }
    return support instanceof Support.No
        ? "does not %s %s".formatted(verb.infinitive(), what)
        : "is not known to %s %s".formatted(verb.infinitive(), what);
  }

  private static Ruling allowed(
      Party party, DeleteFormat format, String reason, @Nullable Evidence evidence) {
    return new Ruling(party, format, Ruling.Verdict.ALLOWED, reason, null, evidence);
  }

  private static Ruling refused(Party party, DeleteFormat format, String reason) {
    return new Ruling(party, format, Ruling.Verdict.RULED_OUT, reason, null, null);
  }
}
