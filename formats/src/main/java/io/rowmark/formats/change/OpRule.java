package io.rowmark.formats.change;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a record says what happened.
 *
 * @param path where the code is; null for envelopes without one
 * @param codes what the codes mean
 * @param missing what a record without a code is; null to refuse it
 * @param deleted makes the record a delete, whatever its code; null for none
 * @param snapshot makes the record a read of a snapshot, which loses to every change, whatever its
 *     code; null for none besides those with the code for it
 * @param controls records without a code that are no changes, asked in order
 */
public record OpRule(
    @Nullable FieldPath path,
    Map<String, Meaning> codes,
    @Nullable ChangeOp missing,
    @Nullable RecordTest deleted,
    @Nullable RecordTest snapshot,
    List<Control> controls)
    implements Serializable {

  /** What a code means. */
  public sealed interface Meaning extends Serializable {
    /** A change. */
    record Change(ChangeOp op) implements Meaning {}

    /**
     * The row before an update, which a record of its own follows with the row after. It takes the
     * row of its key away, since the row after may have another key, and is no change by itself.
     *
     * @param reason that it is counted under, as one that is left out
     */
    record Former(String reason) implements Meaning {}

    /** Nothing for the table; counted under the reason. */
    record Skip(String reason) implements Meaning {}
  }

  /** A kind of record that is no change, and the reason it is counted under. */
  public record Control(String reason, RecordTest when) implements Serializable {}

  public OpRule {
    codes = Map.copyOf(codes);
    controls = List.copyOf(controls);
  }
}
