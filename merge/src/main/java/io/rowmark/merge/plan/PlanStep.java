package io.rowmark.merge.plan;

import io.rowmark.formats.delete.DeleteFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.catalog.TableIdentifier;

/** Something to be done to a table before, or together with, its next batch. */
public sealed interface PlanStep {
  /** Whether a batch may take a step by itself. */
  enum Consent {
    /** It changes nothing that was promised to anyone. */
    NOT_NEEDED,
    /** It is taken only where the user asks for it: {@code rowmark plan --apply}. */
    NEEDED
  }

  Consent consent();

  /** For one line of a plan. */
  String text();

  record CreateTable(int formatVersion) implements PlanStep {
    @Override
    public Consent consent() {
      return Consent.NOT_NEEDED;
    }

    @Override
    public String text() {
      return "create the table, format version " + formatVersion;
    }
  }

  /**
   * @param lockedOut engines in wide use that cannot read the table afterwards
   */
  record UpgradeFormat(int from, int to, List<String> lockedOut) implements PlanStep {
    public UpgradeFormat {
      lockedOut = List.copyOf(lockedOut);
    }

    @Override
    public Consent consent() {
      return Consent.NEEDED;
    }

    @Override
    public String text() {
      String readers =
          lockedOut.isEmpty()
              ? ""
              : "; no longer readable in their current releases: " + String.join(", ", lockedOut);
      return "upgrade the table from format version %d to %d, which has no way back%s"
          .formatted(from, to, readers);
    }
  }

  /**
   * @param kinds what is converted
   * @param deleteFiles to be replaced
   * @param dataFiles whose deletes are written anew
   * @param rows in these data files, dead ones included
   * @param bytes of data files whose rows have to be compared with equality deletes
   * @param consent not needed where someone else's deletes break what the table promises already
   */
  record ConvertDeletes(
      List<DeleteFormat> kinds,
      DeleteFormat to,
      int deleteFiles,
      int dataFiles,
      long rows,
      long bytes,
      Consent consent)
      implements PlanStep {
    public ConvertDeletes {
      kinds = List.copyOf(kinds);
    }

    @Override
    public String text() {
      return "convert %,d delete files (%s) to %s: %,d data files with %,d rows, %,d bytes to compare"
          .formatted(
              deleteFiles,
              kinds.stream().map(DeleteFormat::text).collect(Collectors.joining(", ")),
              to.text(),
              dataFiles,
              rows,
              bytes);
    }
  }

  record DropIndex(TableIdentifier index) implements PlanStep {
    @Override
    public Consent consent() {
      return Consent.NEEDED;
    }

    @Override
    public String text() {
      return "drop the index %s, which equality deletes do without".formatted(index);
    }
  }

  /**
   * @param rows of the data table, dead ones included
   */
  record BuildIndex(TableIdentifier index, long rows) implements PlanStep {
    @Override
    public Consent consent() {
      return Consent.NOT_NEEDED;
    }

    @Override
    public String text() {
      return "build the index %s of %,d rows".formatted(index, rows);
    }
  }

  record CatchUpIndex(TableIdentifier index, String reason) implements PlanStep {
    @Override
    public Consent consent() {
      return Consent.NOT_NEEDED;
    }

    @Override
    public String text() {
      return "bring the index %s up to date: %s".formatted(index, reason);
    }
  }

  /** The table has no contract yet; the next batch records it. */
  record RecordContract(ReaderContract contract) implements PlanStep {
    @Override
    public Consent consent() {
      return Consent.NOT_NEEDED;
    }

    @Override
    public String text() {
      return "record the readers %s and the delete format %s on the table"
          .formatted(String.join(", ", contract.readers()), contract.format().text());
    }
  }

  /**
   * @param differences not empty
   */
  record ChangeContract(List<String> differences) implements PlanStep {
    public ChangeContract {
      differences = List.copyOf(differences);
    }

    @Override
    public Consent consent() {
      return Consent.NEEDED;
    }

    @Override
    public String text() {
      return "change what the table promises: " + String.join("; ", differences);
    }
  }
}
