package io.rowmark.formats.capability;

import java.util.Set;

/** Whether a product reads, or accepts, one thing. */
public sealed interface Support {
  /** What a person should know of it; may be empty. */
  String note();

  /**
   * Whether it may be relied on.
   *
   * @param allowed the conditions of this product that the user allows
   */
  boolean usable(Set<String> allowed);

  /** What happens where it is relied on wrongly; UNKNOWN for a plain yes as well. */
  FailureMode failure();

  /** The answer in a word or two, without its note; answers that agree have the same text. */
  String text();

  /** Without a condition. */
  record Yes(String note) implements Support {
    @Override
    public boolean usable(Set<String> allowed) {
      return true;
    }

    @Override
    public FailureMode failure() {
      return FailureMode.UNKNOWN;
    }

    @Override
    public String text() {
      return "yes";
    }
  }

  /**
   * Only under a condition; counts as no unless the user allows the condition by name.
   *
   * @param condition its name within the product; users write {@code product/condition}, such as
   *     {@code clickhouse/experimental}
   * @param note what the condition means; never empty
   * @param failure what happens where the condition does not hold
   */
  record Partial(String condition, String note, FailureMode failure) implements Support {
    @Override
    public boolean usable(Set<String> allowed) {
      return allowed.contains(condition);
    }

    @Override
    public String text() {
      return "partial: %s, else %s".formatted(condition, failure.text());
    }
  }

  /** Not at all. */
  record No(String note, FailureMode failure) implements Support {
    @Override
    public boolean usable(Set<String> allowed) {
      return false;
    }

    @Override
    public String text() {
      return failure == FailureMode.UNKNOWN ? "no" : "no: " + failure.text();
    }
  }

  /** Nothing is known, which counts as no. */
  record Unknown(String note) implements Support {
    @Override
    public boolean usable(Set<String> allowed) {
      return false;
    }

    @Override
    public FailureMode failure() {
      return FailureMode.UNKNOWN;
    }

    @Override
    public String text() {
      return "unknown";
    }
  }
}
