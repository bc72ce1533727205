package io.rowmark.merge.source;

import io.rowmark.merge.record.RowsPart;
import java.util.List;

/** What the inputs of a table are made of. */
public sealed interface InputContent {

  /** Each input is a file. */
  record Files() implements InputContent {}

  /**
   * Each input is a snapshot of a source table.
   *
   * @param parts what to read for them, in the order of the inputs
   */
  record TableRows(List<RowsPart> parts) implements InputContent {
    public TableRows {
      parts = List.copyOf(parts);
    }
  }

  /**
   * Each input is a version of a Delta table.
   *
   * @param spans what to read for them, in the order of the inputs
   */
  record DeltaVersions(List<VersionRows> spans) implements InputContent {
    public DeltaVersions {
      spans = List.copyOf(spans);
    }
  }
}
