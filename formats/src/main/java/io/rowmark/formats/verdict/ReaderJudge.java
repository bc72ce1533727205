package io.rowmark.formats.verdict;

import io.rowmark.formats.audit.TableAudit;
import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.capability.DeclaredReader;
import io.rowmark.formats.capability.ReaderCapability;
import io.rowmark.formats.capability.Stated;
import io.rowmark.formats.capability.Support;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.verdict.Verdict.Readable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Judges which readers read an audited table rightly, from what is known of them and from what
 * really lies in the table.
 *
 * @param data must know every reader of the audience
 * @param audience the readers to judge and the conditions that are allowed; a condition that can be
 *     looked up in the table is looked up, allowed or not
 */
public record ReaderJudge(CapabilityData data, Audience audience) {
  private static final int NEWEST_KNOWN_VERSION = 3;
  private static final String FORMAT_VERSION = "format version ";

  /** But a reader that refuses the format version never comes to the deletes. */
  private static final Comparator<Verdict> WORST_FIRST =
      Comparator.comparing(
              (Verdict verdict) ->
                  !(verdict instanceof Verdict.Error error
                      && error.ground().kind().startsWith(FORMAT_VERSION)))
          .thenComparing(Verdict::outcome);

  /** One verdict for each reader, in the order of declaration. */
  public List<ReaderVerdict> judge(TableAudit audit) {
    return audience.readers().stream().map(reader -> judge(audit, reader)).toList();
  }

  private ReaderVerdict judge(TableAudit audit, DeclaredReader reader) {
    ReaderCapability capability = data.capability(reader);
    Set<String> allowed = audience.allowedOf(reader.engine());
    List<Verdict> verdicts = new ArrayList<>();
    for (DeleteFormat kind : audit.kinds()) {
      verdicts.add(DeletesOfKind.judge(audit, kind, capability.deletes(kind), allowed));
    }
    verdicts.addAll(Violations.judge(audit, reader.engine()));
    version(audit, capability.formatV3(), allowed).ifPresent(verdicts::add);
    verdicts.sort(WORST_FIRST);
    return combined(reader, capability, verdicts);
  }

  private static ReaderVerdict combined(
      DeclaredReader reader, ReaderCapability capability, List<Verdict> verdicts) {
    List<Verdict> obstacles =
        verdicts.stream().filter(verdict -> !(verdict instanceof Readable)).toList();
    if (!obstacles.isEmpty()) {
      return new ReaderVerdict(
          reader, capability.text(), obstacles.get(0), obstacles.subList(1, obstacles.size()));
    }
    List<Ground> able = verdicts.stream().flatMap(verdict -> verdict.grounds().stream()).toList();
    return new ReaderVerdict(reader, capability.text(), new Readable(able), List.of());
  }

  /** Empty below version 3, which every reader reads. */
  private static Optional<Verdict> version(
      TableAudit audit, Stated<Support> formatV3, Set<String> allowed) {
    int version = audit.of().formatVersion();
    if (version < NEWEST_KNOWN_VERSION) {
      return Optional.empty();
    }
    String kind = FORMAT_VERSION + version;
    String file = audit.of().metadataFile();
    if (version > NEWEST_KNOWN_VERSION) {
      String reason = "is not known to read " + kind;
      return Optional.of(new Verdict.Unknown(new Ground(kind, file, 1, reason, null)));
    }
    Support support = formatV3.value();
    String reason = Wording.reason(support, kind, allowed);
    Ground ground = new Ground(kind, file, 1, reason, formatV3.evidence());
    return Optional.of(
        support.usable(allowed)
            ? new Readable(List.of(ground))
            : Verdict.of(support.failure(), ground));
  }
}
