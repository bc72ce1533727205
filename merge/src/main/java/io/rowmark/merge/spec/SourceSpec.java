package io.rowmark.merge.spec;

import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.type.Fraction;
import java.io.Serializable;

/**
 * Where changes come from, and in which form.
 *
 * @param records how files become records
 * @param envelope how records tell changes
 * @param place where the changes are
 * @param unavailableValue the text that stands for a value the source left out
 * @param fraction what becomes of times that are finer than their column
 */
public record SourceSpec(
    RecordSpec records,
    EnvelopeLayout envelope,
    SourcePlace place,
    String unavailableValue,
    Fraction fraction)
    implements Serializable {

  /** Files below a folder. */
  public SourceSpec(
      RecordSpec records,
      EnvelopeLayout envelope,
      String path,
      String unavailableValue,
      Fraction fraction) {
    this(records, envelope, new SourcePlace.Folder(path), unavailableValue, fraction);
  }

  /**
   * JSON lines in a shipped envelope.
   *
   * @param envelope its name; {@code debezium-json} is {@code debezium}
   */
  public SourceSpec(String envelope, String path, String unavailableValue) {
    this(
        RecordSpec.JSON_LINES,
        EnvelopeLayouts.named(envelope.equals("debezium-json") ? "debezium" : envelope),
        path,
        unavailableValue,
        Fraction.REJECT);
  }
}
