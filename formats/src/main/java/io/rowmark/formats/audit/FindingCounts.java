package io.rowmark.formats.audit;

import io.rowmark.formats.audit.Finding.Example;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts findings by kind and keeps a few examples of each. */
final class FindingCounts {
  private static final Comparator<@Nullable String> PATHS =
      Comparator.nullsFirst(Comparator.naturalOrder());
  private static final Comparator<Example> ORDER =
      Comparator.comparing(Example::dataFile, PATHS).thenComparing(Example::deleteFile, PATHS);

  /** Findings of one kind so far. */
  private static final class Count {
    private final SmallestFew<Example> examples = new SmallestFew<>(ORDER);
    private long count;
  }

  private final Map<Finding.Kind, Count> counts = new EnumMap<>(Finding.Kind.class);

  void add(Finding.Kind kind, @Nullable String dataFile, @Nullable String deleteFile) {
    Count count = counts.computeIfAbsent(kind, unused -> new Count());
    count.count++;
    count.examples.add(new Example(dataFile, deleteFile));
  }

  List<Finding> findings() {
    return counts.entrySet().stream()
        .map(
            entry ->
                new Finding(
                    entry.getKey(), entry.getValue().count, entry.getValue().examples.values()))
        .toList();
  }
}
