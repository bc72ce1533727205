package io.rowmark.merge.replay;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.source.SourceBatch;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * What a replay would do.
 *
 * @param steps in the order in which they are taken
 * @param setBacks indexes that must forget first what their tables lost
 * @param refusals why it must not be done; empty if it may
 */
public record ReplayPlan(List<Step> steps, List<SetBack> setBacks, List<Refusal> refusals) {
  public ReplayPlan {
    steps = List.copyOf(steps);
    setBacks = List.copyOf(setBacks);
    refusals = List.copyOf(refusals);
  }

  /**
   * The inputs of one batch of the ledger, or a part of them that fits into one batch now.
   *
   * @param of the batch that took them, or passed them over
   * @param recorded when
   * @param batch the files that are there; its id differs from that of the first batch
   */
  public record Step(String of, Instant recorded, List<Input> inputs, SourceBatch batch) {
    public Step {
      inputs = List.copyOf(inputs);
    }
  }

  /**
   * One input.
   *
   * @param size bytes when it was recorded
   */
  public record Input(String table, String name, long size, Found found, Kept kept) {}

  /** What is where the input was. */
  public enum Found {
    THERE,
    MISSING,
    OTHER_SIZE
  }

  /** Whether the table still has what it took from an input. */
  public enum Kept {
    YES,
    /** Rolled back, restored from a backup, or dropped. */
    LOST,
    /** The part of the table's history that would tell was expired. */
    UNKNOWN,
    /** It was passed over and never taken. */
    NEVER_TAKEN
  }

  /**
   * An index of which a former snapshot becomes the current one.
   *
   * @param snapshot the last one that a batch made which the data table still has
   */
  public record SetBack(TableIdentifier index, long snapshot) {}

  /** A reason not to replay. */
  public record Refusal(Category category, String text) {}

  public long inputs() {
    return steps.stream().mapToLong(step -> step.inputs().size()).sum();
  }

  public long bytes() {
    return steps.stream().flatMap(step -> step.inputs().stream()).mapToLong(Input::size).sum();
  }

  /**
   * This plan, if it may be carried out.
   *
   * @throws RowmarkException of the first refusal's category, with all of them
   */
  public ReplayPlan ready() {
    if (refusals.isEmpty()) {
      return this;
    }
    throw new RowmarkException(
        refusals.get(0).category(),
        RowmarkException.Retry.USELESS,
        refusals.stream().map(Refusal::text).collect(Collectors.joining(" ")),
        null);
  }
}
