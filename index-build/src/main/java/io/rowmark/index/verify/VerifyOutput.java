package io.rowmark.index.verify;

import io.rowmark.index.verify.Difference.Kind;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What one task compared, or all of them together. */
record VerifyOutput(
    long rows, long entries, long tombstones, Map<Kind, Long> kinds, List<Finding> examples)
    implements Serializable {

  static final VerifyOutput NOTHING = new VerifyOutput(0, 0, 0, Map.of(), List.of());

  VerifyOutput {
    kinds = Map.copyOf(kinds);
    examples = List.copyOf(examples);
  }

  long findings() {
    return kinds.values().stream().mapToLong(Long::longValue).sum();
  }

  static VerifyOutput sum(List<VerifyOutput> outputs) {
    long rows = 0;
    long entries = 0;
    long tombstones = 0;
    Map<Kind, Long> kinds = new EnumMap<>(Kind.class);
    List<Finding> examples = new ArrayList<>();
    for (VerifyOutput output : outputs) {
      rows += output.rows;
      entries += output.entries;
      tombstones += output.tombstones;
      output.kinds.forEach((kind, count) -> kinds.merge(kind, count, Long::sum));
      examples.addAll(output.examples);
    }
    return new VerifyOutput(rows, entries, tombstones, kinds, examples);
  }
}
