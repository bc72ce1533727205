package io.rowmark.formats.delete;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.capability.CapabilityData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The decision for every pair of engines, held against a file: a change of data shows there. */
class TestDecisionMatrix {
  private static final Path GOLDEN =
      Path.of("src", "test", "resources", "delete-decision-matrix.txt");
  private static final CapabilityData DATA = CapabilityData.bundled();

  private static final Map<String, TableState> TABLES = new LinkedHashMap<>();

  static {
    TABLES.put("new", new TableState.New());
    TABLES.put("v2", new TableState.Existing(2, Set.of()));
    TABLES.put("v3", new TableState.Existing(3, Set.of()));
  }

  @Test
  void everyPairOfEnginesIsDecidedAsBefore() throws IOException {
    String matrix = matrix();
    if ("write".equals(System.getProperty("rowmark.golden"))) {
      Files.writeString(GOLDEN, matrix);
    }

    assertThat(GOLDEN)
        .as(
            "the data or the rules decide otherwise than before; if that is meant, run with"
                + " -Drowmark.golden=write and read the difference")
        .hasContent(matrix);
  }

  private static String matrix() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "# Pair of engines: decision on a new table, on one of version 2 without permission to");
    lines.add(
        "# upgrade, on one of version 3. eq, pos, dv with the format version; - where none fits,");
    lines.add("# with the parties of the conflicts.");
    List<String> engines = List.copyOf(DATA.engines());
    for (int left = 0; left < engines.size(); left++) {
      for (int right = left; right < engines.size(); right++) {
        lines.add(line(engines.get(left), engines.get(right)));
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private static String line(String left, String right) {
    Audience audience = Audience.of(List.of(left, right), List.of(), DATA);
    return "%s: %s"
        .formatted(
            left.equals(right) ? left : left + " + " + right,
            TABLES.entrySet().stream()
                .map(
                    table ->
                        table.getKey()
                            + " "
                            + decision(
                                DeleteFormatChooser.choose(
                                    new DeleteRequest(
                                        audience, null, table.getValue(), Wishes.NONE, DATA))))
                .collect(Collectors.joining("; ")));
  }

  private static String decision(DeleteDecision decision) {
    if (decision instanceof DeleteDecision.Fits fits) {
      return switch (fits.format()) {
            case EQUALITY -> "eq";
            case POSITION -> "pos";
            case DELETION_VECTOR -> "dv";
          }
          + fits.formatVersion();
    }
    return ((DeleteDecision.NoneFits) decision)
        .conflicts().stream()
            .map(
                conflict ->
                    conflict.parties().stream().map(Party::text).collect(Collectors.joining(" x ")))
            .collect(Collectors.joining(", ", "- (", ")"));
  }
}
