package io.rowmark.formats.delete;

import java.util.OptionalInt;

/** What the user's settings ask of a table's format. */
public record Wishes(WantedDeletes deletes, WantedVersion version, Upgrade upgrade) {
  /** Cheapest deletes, no upgrade. */
  public static final Wishes NONE =
      new Wishes(WantedDeletes.AUTO, WantedVersion.AUTO, Upgrade.REFUSED);

  /** The table's format version that the user asks for. */
  public enum WantedVersion {
    /** That of the table; for a new one 2, or 3 where deletion vectors need it. */
    AUTO,
    V2,
    V3;

    /** Empty for AUTO. */
    public OptionalInt number() {
      return switch (this) {
        case AUTO -> OptionalInt.empty();
        case V2 -> OptionalInt.of(2);
        case V3 -> OptionalInt.of(3);
      };
    }
  }

  /** Whether an existing table may be raised to a newer format version, which has no way back. */
  public enum Upgrade {
    ALLOWED,
    REFUSED
  }
}
