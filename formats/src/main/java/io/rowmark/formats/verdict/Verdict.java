package io.rowmark.formats.verdict;

import io.rowmark.formats.capability.FailureMode;
import java.util.List;

/** What one reader makes of a table as it lies. */
public sealed interface Verdict {
  Outcome outcome();

  /** What it rests on. */
  List<Ground> grounds();

  /**
   * See {@link Outcome#READABLE}.
   *
   * @param grounds what of the table needs an ability, and that the reader has it; empty for a
   *     table that asks for none
   */
  record Readable(List<Ground> grounds) implements Verdict {
    public Readable {
      grounds = List.copyOf(grounds);
    }

    @Override
    public Outcome outcome() {
      return Outcome.READABLE;
    }
  }

  /** See {@link Outcome#FALLBACK}. */
  record Fallback(Ground ground) implements Verdict {
    @Override
    public Outcome outcome() {
      return Outcome.FALLBACK;
    }

    @Override
    public List<Ground> grounds() {
      return List.of(ground);
    }
  }

  /** See {@link Outcome#UNKNOWN}. */
  record Unknown(Ground ground) implements Verdict {
    @Override
    public Outcome outcome() {
      return Outcome.UNKNOWN;
    }

    @Override
    public List<Ground> grounds() {
      return List.of(ground);
    }
  }

  /** See {@link Outcome#ERROR}. */
  record Error(Ground ground) implements Verdict {
    @Override
    public Outcome outcome() {
      return Outcome.ERROR;
    }

    @Override
    public List<Ground> grounds() {
      return List.of(ground);
    }
  }

  /** See {@link Outcome#STALE}. */
  record Stale(Ground ground) implements Verdict {
    @Override
    public Outcome outcome() {
      return Outcome.STALE;
    }

    @Override
    public List<Ground> grounds() {
      return List.of(ground);
    }
  }

  /** See {@link Outcome#WRONG_ROWS}. */
  record WrongRows(Ground ground) implements Verdict {
    @Override
    public Outcome outcome() {
      return Outcome.WRONG_ROWS;
    }

    @Override
    public List<Ground> grounds() {
      return List.of(ground);
    }
  }

  /** The verdict on a reader that lacks an ability, by what it does then. */
  static Verdict of(FailureMode failure, Ground ground) {
    return switch (failure) {
      case ERROR -> new Error(ground);
      case WRONG_ROWS -> new WrongRows(ground);
      case STALE -> new Stale(ground);
      case FALLBACK -> new Fallback(ground);
      case UNKNOWN -> new Unknown(ground);
    };
  }
}
