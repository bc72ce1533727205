package io.rowmark.merge.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a batch did, also when it failed. Field order is the order in the JSON.
 *
 * @param outcome COMMITTED, NOTHING_NEW, ALREADY_COMMITTED or FAILED
 * @param batchId null when there was nothing to do
 * @param protocol {@code atomic} or {@code ordered}; null before it was decided
 * @param attempts how often the batch was made
 * @param again how it was made after each refusal
 * @param inputs what was noticed of inputs besides those of the batch
 * @param failure category and message; null on success
 */
public record BatchReport(
    String pipeline,
    Outcome outcome,
    @Nullable String batchId,
    @Nullable String protocol,
    int attempts,
    List<NewAttempt> again,
    InputReport inputs,
    String startedAt,
    long millis,
    List<StepTime> steps,
    List<TableReport> tables,
    @Nullable Failure failure) {

  /** How a run ended. */
  public enum Outcome {
    COMMITTED,
    NOTHING_NEW,
    ALREADY_COMMITTED,
    FAILED
  }

  /**
   * What was noticed of inputs besides those of the batch.
   *
   * @param passedOver inputs that this run passed over because they are old
   * @param touched inputs that went in before and have another modification time now
   * @param notes both in words
   */
  public record InputReport(long passedOver, long touched, List<String> notes) {
    public static final InputReport NOTHING = new InputReport(0, 0, List.of());

    public InputReport {
      notes = List.copyOf(notes);
    }
  }

  /**
   * An attempt after others had won the commit.
   *
   * @param attempt its number
   * @param refusal why the attempt before was refused
   * @param redone why nothing could be taken over from it, and all was made again; null where it
   *     could
   * @param keysLookedUp keys whose places were looked up again
   * @param dataFilesKept data files that were not written again
   */
  public record NewAttempt(
      int attempt, String refusal, @Nullable String redone, long keysLookedUp, int dataFilesKept) {
    /** One that took over the rows of the attempt before. */
    public static NewAttempt rebased(int attempt, String refusal, long keys, int dataFiles) {
      return new NewAttempt(attempt, refusal, null, keys, dataFiles);
    }

    /** One that began at the inputs. */
    public static NewAttempt redone(int attempt, String refusal, String reason) {
      return new NewAttempt(attempt, refusal, reason, 0, 0);
    }

    /** The attempt for people. */
    public String text() {
      return redone == null
          ? "attempt %d: rebased, %,d keys looked up again, %,d data files kept; the one before was refused: %s"
              .formatted(attempt, keysLookedUp, dataFilesKept, refusal)
          : "attempt %d: made again from its inputs (%s); the one before was refused: %s"
              .formatted(attempt, redone, refusal);
    }
  }

  /** Wall time of one step over all tables. */
  public record StepTime(String step, long millis) {}

  /** Category and message of a failure. */
  public record Failure(String category, boolean retryHelps, String message) {}

  /**
   * What happened to one table.
   *
   * @param counts named counts of events, rows, deletes, files and bytes, in a fixed order
   * @param skipped events left out, by reason
   * @param rejected records set aside, by reason code
   * @param notes things a person should know: inferred types, schema changes, index builds
   */
  public record TableReport(
      String table,
      @Nullable Long snapshotBefore,
      @Nullable Long snapshotAfter,
      @Nullable Long indexSnapshotAfter,
      Map<String, Long> counts,
      Map<String, Long> skipped,
      Map<String, Long> rejected,
      List<String> notes) {}

  /** Nothing was noticed of other inputs. */
  public BatchReport(
      String pipeline,
      Outcome outcome,
      @Nullable String batchId,
      @Nullable String protocol,
      int attempts,
      String startedAt,
      long millis,
      List<StepTime> steps,
      List<TableReport> tables,
      @Nullable Failure failure) {
    this(
        pipeline,
        outcome,
        batchId,
        protocol,
        attempts,
        List.of(),
        InputReport.NOTHING,
        startedAt,
        millis,
        steps,
        tables,
        failure);
  }

  /** The same report with other remarks on inputs. */
  public BatchReport withInputs(InputReport other) {
    return new BatchReport(
        pipeline, outcome, batchId, protocol, attempts, again, other, startedAt, millis, steps,
        tables, failure);
  }

  public BatchReport {
    again = List.copyOf(again);
    steps = List.copyOf(steps);
    tables = List.copyOf(tables);
  }
}
