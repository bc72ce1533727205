package io.rowmark.merge.probe;

import io.rowmark.merge.probe.Finding.Verdict;
import java.util.Objects;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.UnprocessableEntityException;
import org.apache.iceberg.exceptions.ValidationException;

/** One try on the catalog; whatever it throws is an observation as well. */
@FunctionalInterface
interface Trial {
  /** What was seen. */
  record Seen(Verdict verdict, String happened) {}

  Seen run() throws Exception;

  /** Runs it; one that fails must not keep the others from being tried. */
  static Finding observe(Experiment experiment, Trial trial) {
    Seen seen;
    try {
      seen = trial.run();
    } catch (Exception e) {
      seen = new Seen(isRefusal(e) ? Verdict.NO : Verdict.UNKNOWN, answer(e));
    }
    return new Finding(experiment, seen.verdict(), seen.happened());
  }

  static Seen yes(String happened) {
    return new Seen(Verdict.YES, happened);
  }

  static Seen no(String happened) {
    return new Seen(Verdict.NO, happened);
  }

  static Seen wrong(String happened) {
    return new Seen(Verdict.WRONG, happened);
  }

  static Seen unknown(String happened) {
    return new Seen(Verdict.UNKNOWN, happened);
  }

  static Seen notTried(String why) {
    return new Seen(Verdict.NOT_TRIED, why);
  }

  /** The catalog understood and declined; outages and missing rights are none of it. */
  private static boolean isRefusal(Exception e) {
    return e instanceof BadRequestException
        || e instanceof UnprocessableEntityException
        || e instanceof ValidationException
        || e instanceof CommitFailedException
        || e instanceof UnsupportedOperationException
        || e instanceof IllegalArgumentException;
  }

  /** An exception in one line: its kind and the first line of its message. */
  static String answer(Throwable e) {
    String message = Objects.requireNonNullElse(e.getMessage(), "no message");
    String line = message.lines().findFirst().orElse("no message").strip();
    String shown = line.length() > 200 ? line.substring(0, 200) + "…" : line;
    return e.getClass().getSimpleName() + ": " + shown;
  }
}
