package io.rowmark.merge.normalize;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.RowImages.CarryOvers;
import io.rowmark.formats.change.RowValues.Absent;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.merge.normalize.RowDecoder.Decoded;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Decodes what an event stores and what it removes. One per task. */
final class ChangeDecoder {
  private final DecodePlan plan;
  private final RowDecoder rows;
  private final KeptColumns kept;
  private final BitSet besideKey = new BitSet();

  ChangeDecoder(DecodePlan plan) {
    this.plan = plan;
    this.rows = new RowDecoder(plan);
    this.kept = rows.kept();
    List<Types.NestedField> columns = plan.schema().columns();
    for (int i = 0; i < columns.size(); i++) {
      besideKey.set(i, !plan.key().contains(columns.get(i).name()));
    }
  }

  /** Columns and types met so far that the table does not hold. */
  SeenFields seen() {
    return rows.seen();
  }

  /** What the event rows of a removal are. */
  byte removal() {
    return kept.removal();
  }

  /** The row that an event stores. */
  Decoded put(Parsed.Event event) {
    Decoded decoded =
        rows.row(event.op(), Objects.requireNonNull(event.after()), event.fields(), event.absent());
    kept.put(decoded.values(), decoded.unavailable(), event.time());
    return decoded;
  }

  /**
   * The row of a delete: its key, and the rest where the feed wants whole rows compared, or the
   * table keeps them.
   */
  Decoded removed(Parsed.Event event) {
    Map<String, @Nullable Object> image = Objects.requireNonNull(event.before());
    Decoded decoded =
        kept.storesBefore()
            ? rows.row(ChangeOp.DELETE, image, event.fields(), Absent.UNCHANGED)
            : keyOnly(compared(image, event.fields()));
    kept.remove(decoded.values(), decoded.unavailable(), event.time(), null);
    return decoded;
  }

  /**
   * The removal of the key that a row had before.
   *
   * @param before the row before, of which the key counts
   * @param put what the same event stores under another key
   */
  Decoded movedFrom(Map<String, @Nullable Object> before, Decoded put, Parsed.Event event) {
    Decoded decoded = keyOnly(rows.key(before, event.fields()));
    kept.remove(decoded.values(), decoded.unavailable(), event.time(), put.values());
    return decoded;
  }

  /** A removal that keeps its row leaves out all but the key. */
  private Decoded keyOnly(@Nullable Object[] values) {
    return new Decoded(
        values, kept.removal() == EventRows.FLAG ? (BitSet) besideKey.clone() : new BitSet());
  }

  private @Nullable Object[] compared(
      Map<String, @Nullable Object> image, @Nullable List<SourceField> fields) {
    if (plan.feed().envelope().images().carryOvers() == CarryOvers.DROP) {
      try {
        return rows.row(ChangeOp.DELETE, image, fields, Absent.EMPTY).values();
      } catch (RecordRejected rejected) {
        // a delete counts whatever its other values are
      }
    }
    return rows.key(image, fields);
  }
}
