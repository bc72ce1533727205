package io.rowmark.formats.delete;

import io.rowmark.formats.capability.Evidence;
import io.rowmark.formats.capability.FailureMode;
import org.jspecify.annotations.Nullable;

/**
 * What one party says of one delete format.
 *
 * @param reason a sentence that goes on after the party's name
 * @param failure what would happen if it were written all the same; null where it is allowed, or
 *     where it cannot be written at all
 * @param evidence null where the ruling follows from the table or the user's settings
 */
public record Ruling(
    Party party,
    DeleteFormat format,
    Verdict verdict,
    String reason,
    @Nullable FailureMode failure,
    @Nullable Evidence evidence) {

  public enum Verdict {
    ALLOWED,
    RULED_OUT
  }

  public boolean rulesOut() {
    return verdict == Verdict.RULED_OUT;
  }
}
