package io.rowmark.index.verify;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** What one task compared, or all of them together. */
record VerifyOutput(long rows, long entries, long tombstones, long findings, List<Finding> examples)
    implements Serializable {

  static final VerifyOutput NOTHING = new VerifyOutput(0, 0, 0, 0, List.of());

  VerifyOutput {
    examples = List.copyOf(examples);
  }

  static VerifyOutput sum(List<VerifyOutput> outputs) {
    long rows = 0;
    long entries = 0;
    long tombstones = 0;
    long findings = 0;
    List<Finding> examples = new ArrayList<>();
    for (VerifyOutput output : outputs) {
      rows += output.rows;
      entries += output.entries;
      tombstones += output.tombstones;
      findings += output.findings;
      examples.addAll(output.examples);
    }
    return new VerifyOutput(rows, entries, tombstones, findings, examples);
  }
}
