package io.rowmark.merge.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/**
 * Keys that changes of key tie together. Only changes of key that left values out count, so the
 * chains of a batch are few and fit the driver.
 */
final class KeyChains {
  private final Map<Row, Row> parents = new HashMap<>();

  private KeyChains() {}

  /**
   * The members of all chains with their chain's leader, as columns {@code member, leader}.
   *
   * @param moves with columns {@code old_key, new_key}
   */
  static Dataset<Row> groups(Dataset<Row> moves, StructType keyType) {
    KeyChains chains = new KeyChains();
    for (Row move : moves.select("old_key", "new_key").collectAsList()) {
      chains.tie(move.getStruct(0), move.getStruct(1));
    }
    List<Row> rows = new ArrayList<>();
    for (Row member : List.copyOf(chains.parents.keySet())) {
      rows.add(RowFactory.create(member, chains.leader(member)));
    }
    return moves
        .sparkSession()
        .createDataFrame(rows, new StructType().add("member", keyType).add("leader", keyType));
  }

  private void tie(Row one, Row other) {
    Row a = leader(one);
    Row b = leader(other);
    if (!a.equals(b)) {
      parents.put(a, b);
    }
  }

  private Row leader(Row key) {
    Row parent = parents.computeIfAbsent(key, self -> self);
    if (parent.equals(key)) {
      return key;
    }
    Row leader = leader(parent);
    parents.put(key, leader);
    return leader;
  }
}
