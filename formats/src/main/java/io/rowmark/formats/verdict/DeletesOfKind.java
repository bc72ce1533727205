package io.rowmark.formats.verdict;

import io.rowmark.formats.audit.AuditedSnapshot;
import io.rowmark.formats.audit.DeleteGroup;
import io.rowmark.formats.audit.DeleteScope;
import io.rowmark.formats.audit.TableAudit;
import io.rowmark.formats.capability.FailureMode;
import io.rowmark.formats.capability.Stated;
import io.rowmark.formats.capability.Support;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.verdict.Verdict.Readable;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The delete files of one kind that one reader cannot apply.
 *
 * @param scopes those that it cannot apply
 */
record DeletesOfKind(TableAudit audit, DeleteFormat kind, Set<DeleteScope> scopes) {
  /** The condition of engines that skip global equality deletes. */
  static final String PARTITION_SCOPED_ONLY = "partition-scoped-only";

  /** The condition of engines that skip them in partitioned tables only. */
  static final String SAME_SPEC_ONLY = "same-spec-only";

  /**
   * @param kind lies in the table
   * @param support of the reader for this kind
   */
  static Verdict judge(
      TableAudit audit, DeleteFormat kind, Stated<Support> support, Set<String> allowed) {
    DeletesOfKind all = new DeletesOfKind(audit, kind, EnumSet.allOf(DeleteScope.class));
    if (support.value() instanceof Support.Partial partial
        && Set.of(PARTITION_SCOPED_ONLY, SAME_SPEC_ONLY).contains(partial.condition())) {
      return all.judgeScopes(support, partial);
    }
    Ground ground =
        all.ground(Wording.reason(support.value(), Wording.plural(kind), allowed), support);
    return support.value().usable(allowed)
        ? new Readable(List.of(ground))
        : all.without(support, ground);
  }

  /** The table itself says whether the condition holds. */
  private Verdict judgeScopes(Stated<Support> support, Support.Partial partial) {
    DeletesOfKind beyond = new DeletesOfKind(audit, kind, EnumSet.of(DeleteScope.GLOBAL));
    String what = Wording.plural(kind);
    if (partial.condition().equals(SAME_SPEC_ONLY)
        && audit.of().partitioning() == AuditedSnapshot.Partitioning.NONE) {
      String reason = "reads %s%s; this table was never partitioned";
      return new Readable(
          List.of(ground(reason.formatted(what, Wording.note(partial.note())), support)));
    }
    if (beyond.files() == 0) {
      return new Readable(
          List.of(
              ground(
                  "reads %s of one partition%s; there are no others"
                      .formatted(what, Wording.note(partial.note())),
                  support)));
    }
    return beyond.without(
        support,
        beyond.ground(
            "does not read %s that apply to the whole table%s"
                .formatted(what, Wording.note(partial.note())),
            support));
  }

  /** Deletes that apply to no data file cannot make rows wrong when they are left out. */
  private Verdict without(Stated<Support> support, Ground ground) {
    FailureMode failure = support.value().failure();
    if (failure == FailureMode.WRONG_ROWS && dataFiles() == 0) {
      return new Readable(
          List.of(
              new Ground(
                  ground.kind(),
                  ground.file(),
                  ground.files(),
                  ground.reason() + ", but none of them applies to a data file",
                  ground.evidence())));
    }
    return Verdict.of(failure, ground);
  }

  private Ground ground(String reason, Stated<Support> support) {
    return new Ground(name(), example(), files(), reason, support.evidence());
  }

  private String name() {
    return scopes.equals(Set.of(DeleteScope.GLOBAL))
        ? "global " + Wording.plural(kind)
        : Wording.plural(kind);
  }

  private List<DeleteGroup> groups() {
    return audit.deletes().groups().stream()
        .filter(group -> group.kind() == kind && scopes.contains(group.scope()))
        .toList();
  }

  private long files() {
    return groups().stream().mapToLong(group -> group.tally().files()).sum();
  }

  private long dataFiles() {
    return scopes.stream().mapToLong(scope -> audit.perDataFile().dataFiles(kind, scope)).sum();
  }

  private @Nullable String example() {
    return groups().stream()
        .flatMap(group -> group.tally().examples().stream())
        .filter(Objects::nonNull)
        .sorted()
        .findFirst()
        .orElse(null);
  }
}
