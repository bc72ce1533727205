package io.rowmark.integration.live;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

/**
 * All tables as one batch left them.
 *
 * @param batch its id
 * @param snapshots of each table, null where it has no rows yet
 */
record ShopState(String batch, Map<String, Table> tables, Map<String, Snapshot> snapshots) {

  /**
   * What PostgreSQL's transactions keep true and this state does not: empty if it shows whole
   * transactions only.
   */
  List<String> violations() {
    List<String> found = new ArrayList<>();
    Map<String, Long> sums = new HashMap<>();
    sums.put("accounts", sum("pgbench_accounts", "abalance"));
    sums.put("tellers", sum("pgbench_tellers", "tbalance"));
    sums.put("branches", sum("pgbench_branches", "bbalance"));
    sums.put("history", sum("pgbench_history", "delta"));
    if (new HashSet<>(sums.values()).size() > 1) {
      found.add("sums differ: " + sums);
    }
    found.addAll(orphans("pgbench_history", "bid", "pgbench_branches", "bid"));
    found.addAll(orphans("pgbench_history", "tid", "pgbench_tellers", "tid"));
    found.addAll(orphans("pgbench_history", "aid", "pgbench_accounts", "aid"));
    found.addAll(orphans("pgbench_accounts", "bid", "pgbench_branches", "bid"));
    found.addAll(orphans("pgbench_tellers", "bid", "pgbench_branches", "bid"));
    found.addAll(orphans("order_lines", "order_id", "orders", "id"));
    found.addAll(wrongTotals());
    return found;
  }

  private long sum(String table, String column) {
    return read(table, column).stream().mapToLong(row -> ((Number) row.get(0)).longValue()).sum();
  }

  private List<String> orphans(String child, String reference, String parent, String key) {
    Set<Object> parents =
        read(parent, key).stream().map(row -> row.get(0)).collect(Collectors.toSet());
    long orphans =
        read(child, reference).stream().filter(row -> !parents.contains(row.get(0))).count();
    return orphans == 0
        ? List.of()
        : List.of("%d rows of %s without their row of %s".formatted(orphans, child, parent));
  }

  private List<String> wrongTotals() {
    Map<Object, BigDecimal> sums = new HashMap<>();
    for (List<Object> line : read("order_lines", "order_id", "quantity", "price")) {
      BigDecimal amount =
          ((BigDecimal) line.get(2)).multiply(BigDecimal.valueOf((Integer) line.get(1)));
      sums.merge(line.get(0), amount, BigDecimal::add);
    }
    long wrong =
        read("orders", "id", "total").stream()
            .filter(
                order ->
                    ((BigDecimal) order.get(1))
                            .compareTo(sums.getOrDefault(order.get(0), BigDecimal.ZERO))
                        != 0)
            .count();
    return wrong == 0 ? List.of() : List.of("%d orders with a wrong total".formatted(wrong));
  }

  private List<List<Object>> read(String table, String... columns) {
    return Columns.read(tables.get(table), snapshots.get(table), columns);
  }
}
