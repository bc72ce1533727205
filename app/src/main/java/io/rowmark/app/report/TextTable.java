package io.rowmark.app.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of text. The first column is aligned to the left, all others to the right.
 *
 * @param rows the first one is the head; all have the same length
 */
public record TextTable(List<List<String>> rows) {
  private static final String GAP = "  ";

  public void print(PrintWriter out) {
    List<Integer> widths = new ArrayList<>();
    for (int column = 0; column < rows.get(0).size(); column++) {
      int at = column;
      widths.add(rows.stream().mapToInt(row -> row.get(at).length()).max().orElse(0));
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String padding = " ".repeat(widths.get(column) - row.get(column).length());
        line.append(GAP);
        line.append(column == 0 ? row.get(column) + padding : padding + row.get(column));
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
