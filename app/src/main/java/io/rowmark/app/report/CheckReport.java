package io.rowmark.app.report;

import io.rowmark.formats.audit.TableAudit;
import io.rowmark.formats.verdict.ReaderVerdict;
import java.time.LocalDate;
import java.util.List;

/**
 * What a check of a table found.
 *
 * @param verdicts one for each reader
 * @param choice why these readers
 * @param capabilitiesAsOf when what is known of readers was last gone through
 */
public record CheckReport(
    TableAudit audit, List<ReaderVerdict> verdicts, Choice choice, LocalDate capabilitiesAsOf) {

  /** Who chose the readers. */
  public enum Choice {
    /** The command line. */
    NAMED,
    /** The table's property rowmark.readers. */
    TABLE,
    /** Nobody. */
    ALL_KNOWN
  }

  public CheckReport {
    verdicts = List.copyOf(verdicts);
  }

  public boolean isReadableByAll() {
    return wrong().isEmpty();
  }

  /** Readers that are not known to return exactly the table's rows. */
  public List<ReaderVerdict> wrong() {
    return verdicts.stream().filter(verdict -> !verdict.verdict().outcome().isRight()).toList();
  }
}
