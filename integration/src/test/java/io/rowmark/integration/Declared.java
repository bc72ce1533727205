package io.rowmark.integration;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.formats.delete.Wishes.WantedVersion;
import io.rowmark.merge.spec.CapabilitySpec;
import io.rowmark.merge.spec.ReadersSpec;
import java.util.List;

/** Declarations of readers for tests in which the delete format is given and not to be found. */
public final class Declared {
  private Declared() {}

  /** What is known of engines, and nothing of the catalog. */
  public static CapabilitySpec capabilities() {
    return new CapabilitySpec(CapabilityData.bundled(), null);
  }

  /** Spark alone reads the table, which is to have this format version. */
  public static ReadersSpec spark(int formatVersion, WantedDeletes deletes) {
    return of(List.of("spark"), formatVersion, deletes);
  }

  /** As {@link #spark(int, WantedDeletes)}, with deletes by position. */
  public static ReadersSpec positional(int formatVersion) {
    return spark(
        formatVersion, WantedDeletes.valueOf(DeleteFormat.positional(formatVersion).name()));
  }

  public static ReadersSpec of(List<String> readers, int formatVersion, WantedDeletes deletes) {
    return new ReadersSpec(
        Audience.of(readers, List.of(), CapabilityData.bundled()),
        new Wishes(
            deletes,
            formatVersion == 3 ? WantedVersion.V3 : WantedVersion.V2,
            Wishes.Upgrade.REFUSED));
  }
}
