package io.rowmark.merge.source;

import static org.apache.spark.sql.functions.bit_xor;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.xxhash64;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * What a version took out of a table and put into it, found by comparing it with the one before:
 * the rows of files that one of the two has alone, and of files whose deletion vectors differ the
 * rows that are live in one of the two alone. A row that a writer only copied to another file is
 * gone and come.
 *
 * @param gone null for none
 * @param come null for none
 * @param kept whether both versions have some file
 */
record DeltaDifference(@Nullable Dataset<Row> gone, @Nullable Dataset<Row> come, Kept kept) {
  static final DeltaDifference NONE = new DeltaDifference(null, null, Kept.SOME);

  static final String FILE = "_rowmark_file";
  static final String ROW = "_rowmark_row";

  /** Whether files of a version are in the next one too. */
  enum Kept {
    NONE,
    SOME
  }

  /** Whether files that two versions share may differ by their deletion vectors. */
  enum DeletionVectors {
    AS_THEY_WERE,
    MAY_DIFFER
  }

  boolean isEmpty() {
    return gone == null && come == null;
  }

  /**
   * @param before null for the first version of a table
   */
  static DeltaDifference of(
      @Nullable Dataset<Row> before, Dataset<Row> after, DeletionVectors vectors) {
    if (before == null) {
      return new DeltaDifference(null, after.inputFiles().length == 0 ? null : after, Kept.NONE);
    }
    return vectors == DeletionVectors.MAY_DIFFER ? byRows(before, after) : byFiles(before, after);
  }

  private static DeltaDifference byFiles(Dataset<Row> before, Dataset<Row> after) {
    Set<String> old = files(before);
    Set<String> now = files(after);
    Set<String> both = new HashSet<>(old);
    both.retainAll(now);
    return new DeltaDifference(
        both.size() == old.size() ? null : placed(before, both).drop(FILE, ROW),
        both.size() == now.size() ? null : placed(after, both).drop(FILE, ROW),
        both.isEmpty() ? Kept.NONE : Kept.SOME);
  }

  private static DeltaDifference byRows(Dataset<Row> before, Dataset<Row> after) {
    Map<String, List<Object>> old = digests(before);
    Map<String, List<Object>> now = digests(after);
    Set<String> same =
        old.entrySet().stream()
            .filter(file -> file.getValue().equals(now.get(file.getKey())))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    if (same.size() == old.size() && same.size() == now.size()) {
      return NONE;
    }
    Dataset<Row> rowsBefore = placed(before, same);
    Dataset<Row> rowsAfter = placed(after, same);
    return new DeltaDifference(
        same.size() == old.size() ? null : without(rowsBefore, rowsAfter),
        same.size() == now.size() ? null : without(rowsAfter, rowsBefore),
        old.keySet().stream().anyMatch(now::containsKey) ? Kept.SOME : Kept.NONE);
  }

  /** Paths as the rows' metadata has them. */
  private static Set<String> files(Dataset<Row> rows) {
    return Arrays.stream(rows.inputFiles())
        .map(file -> new Path(file).toUri().toString())
        .collect(Collectors.toSet());
  }

  /** Which rows of each file are live: equal for two versions when they have the same. */
  private static Map<String, List<Object>> digests(Dataset<Row> rows) {
    Map<String, List<Object>> digests = new HashMap<>();
    places(rows)
        .select(FILE, ROW)
        .groupBy(FILE)
        .agg(count(lit(1)), sum(ROW), bit_xor(xxhash64(col(ROW))))
        .collectAsList()
        .forEach(
            file ->
                digests.put(
                    file.getString(0), List.of(file.getLong(1), file.getLong(2), file.getLong(3))));
    return digests;
  }

  /**
   * Rows with file and place in it, but those of some files. Named are the files that are left out:
   * one whose name were not recognized would be read for nothing, and not missed.
   */
  private static Dataset<Row> placed(Dataset<Row> rows, Set<String> but) {
    Dataset<Row> placed = places(rows);
    return but.isEmpty() ? placed : placed.filter(not(col(FILE).isin(but.toArray())));
  }

  private static Dataset<Row> places(Dataset<Row> rows) {
    return rows.withColumn(FILE, rows.metadataColumn("_metadata").getField("file_path"))
        .withColumn(ROW, rows.metadataColumn("_metadata").getField("row_index"));
  }

  private static Dataset<Row> without(Dataset<Row> rows, Dataset<Row> others) {
    Dataset<Row> places = others.select(col(FILE).as("other_file"), col(ROW).as("other_row"));
    return rows.join(
            places,
            col(FILE).equalTo(col("other_file")).and(col(ROW).equalTo(col("other_row"))),
            "left_anti")
        .drop(FILE, ROW);
  }
}
