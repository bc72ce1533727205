package io.rowmark.formats.verdict;

import io.rowmark.formats.audit.Finding;
import io.rowmark.formats.audit.Finding.Example;
import io.rowmark.formats.audit.TableAudit;
import io.rowmark.formats.capability.Confidence;
import io.rowmark.formats.capability.Evidence;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of tables that break the table spec. Engines that plan their scans with Iceberg's
 * Java library fail as it does; what others return nobody has promised.
 */
final class Violations {
  /** Engines that are Spark, Flink or Hive with Iceberg's own connector below them. */
  private static final Set<String> ON_ICEBERGS_LIBRARY =
      Set.of("spark", "flink", "hive", "emr", "glue-etl", "comet", "gluten");

  private static final String UNSAID =
      "may return anything, as the table spec forbids what the table has: ";

  private static final Evidence LIBRARY =
      new Evidence(
          "Iceberg 1.12, DeleteFileIndex: scan planning checks it",
          LocalDate.of(2026, 9, 24),
          Confidence.HIGH,
          "Rowmark");

  private Violations() {}

  /** One verdict for each violation that can change what a reader returns. */
  static List<Verdict> judge(TableAudit audit, String engine) {
    return audit.findings().stream().flatMap(finding -> judge(finding, engine).stream()).toList();
  }

  private static Optional<Verdict> judge(Finding finding, String engine) {
    return switch (finding.kind()) {
      case SEVERAL_VECTORS, VECTOR_OLDER_THAN_FILE, OTHER_PARTITION ->
          Optional.of(
              ON_ICEBERGS_LIBRARY.contains(engine)
                  ? new Verdict.Error(
                      ground(finding, "fails when it plans a scan: the table has ", LIBRARY))
                  : new Verdict.Unknown(ground(finding, UNSAID, null)));
      case VECTOR_BELOW_V3, VECTOR_WITHOUT_FILE ->
          Optional.of(new Verdict.Unknown(ground(finding, UNSAID, null)));
      // Rows beyond the end and files that are gone: nothing is there to be returned.
      case VECTOR_LARGER_THAN_FILE, DANGLING_VECTOR -> Optional.empty();
      case DANGLING_POSITION,
          SPANNING_POSITION,
          POSITION_ON_V3,
          HIDDEN_POSITION,
          GLOBAL_EQUALITY,
          DEAD_FILE ->
          Optional.empty();
    };
  }

  private static Ground ground(Finding finding, String reason, @Nullable Evidence evidence) {
    String file =
        finding.examples().stream()
            .map(Example::deleteFile)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    return new Ground(
        "violation of the table spec",
        file,
        finding.count(),
        reason + finding.kind().text(),
        evidence);
  }
}
