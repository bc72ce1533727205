package io.rowmark.merge.probe;

/**
 * What one experiment showed.
 *
 * @param happened what was seen, in one line without row values
 */
public record Finding(Experiment experiment, Verdict verdict, String happened) {

  /** What follows from it. */
  public enum Verdict {
    /** The catalog does it. */
    YES,
    /** It does not, and says so. */
    NO,
    /** It answers one thing and does another: worse than a refusal. */
    WRONG,
    /** The answer tells nothing about it, as when the service failed. */
    UNKNOWN,
    /** Something it needs is not there. */
    NOT_TRIED
  }
}
