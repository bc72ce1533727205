package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.rowmark.index.resolve.IndexHit;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.normalize.NetChange;
import io.rowmark.merge.resolve.ResolvedChanges.Placed;
import io.rowmark.merge.resolve.ResolvedTable.Truncation;
import io.rowmark.merge.spec.KeptRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Whether data files and an index run that were written for changes as they were resolved once are
 * those that would be written for them now. Where old rows lie may differ: deletes say that, and
 * they are written again. Which changes apply, and which row ids the rows take along, may not.
 */
public final class SameRows {
  private static final String PATH = "touched_path";
  private static final String FIRST_ROW_ID = "touched_first_row_id";
  private static final StructType FIRST_ROW_IDS =
      new StructType()
          .add(PATH, DataTypes.StringType, false)
          .add(FIRST_ROW_ID, DataTypes.LongType, false);

  private SameRows() {}

  /**
   * Why the rows of a batch depend on stored rows, so that they have to be made again; empty if
   * they follow from its events.
   */
  public static Optional<String> obstacle(ResolvedTable written) {
    if (written.normalized().hasGaps()) {
      return Optional.of("events leave out values, which come from stored rows");
    } else if (written.table().spec().kept() != KeptRows.NONE) {
      return Optional.of("rows that are kept after their end depend on stored rows");
    } else if (written.normalized().truncates()
        || !(written.truncation() instanceof Truncation.None)) {
      return Optional.of("it is truncated");
    }
    return written.rejects().isEmpty()
        ? Optional.empty()
        : Optional.of("some changes cannot become rows");
  }

  /**
   * What differs in the rows to write.
   *
   * @param before as the files were written
   * @param now the same events, resolved against the table as it is
   * @return empty if the files are right
   */
  public static Optional<String> difference(ResolvedTable before, ResolvedTable now) {
    if (before.changes() instanceof ResolvedChanges.AtHand old
        && now.changes() instanceof ResolvedChanges.AtHand found) {
      return atHand(before, old.changes(), now, found.changes());
    } else if (before.changes() instanceof ResolvedChanges.Spread
        && now.changes() instanceof ResolvedChanges.Spread) {
      return spread(before, now);
    }
    return Optional.of("its index is read in another way");
  }

  private static Optional<String> atHand(
      ResolvedTable before, List<Placed> old, ResolvedTable now, List<Placed> found) {
    if (old.size() != found.size()) {
      return othersApply();
    }
    for (int i = 0; i < old.size(); i++) {
      NetChange one = old.get(i).change();
      NetChange other = found.get(i).change();
      if (one.op() != other.op()
          || !Arrays.equals(one.order(), other.order())
          || !one.row().equals(other.row())) {
        return othersApply();
      }
      if (hasRowIds(now)
          && !one.isRemoval()
          && !Objects.equals(rowId(before, old.get(i)), rowId(now, found.get(i)))) {
        return othersIds();
      }
    }
    return Optional.empty();
  }

  /** As written: an id that its file gives a row is written into the row's next version. */
  private static @Nullable Long rowId(ResolvedTable table, Placed placed) {
    IndexHit hit = placed.found();
    String file = hit == null ? null : hit.entry().dataFile();
    if (hit == null || file == null) {
      return null;
    }
    if (hit.entry().rowId() != null) {
      return hit.entry().rowId();
    }
    Long first = table.table().live().require(file).file().firstRowId();
    Long position = hit.entry().position();
    return first == null || position == null ? null : Long.valueOf(first + position);
  }

  private static boolean hasRowIds(ResolvedTable table) {
    return table.table().formatVersion() >= 3;
  }

  private static Optional<String> spread(ResolvedTable before, ResolvedTable now) {
    if (before.counts().applied() != now.counts().applied()) {
      return othersApply();
    }
    // as many on both sides, and each key once: one direction is enough
    return written(before).exceptAll(written(now)).isEmpty() ? Optional.empty() : othersIds();
  }

  /** What of each change goes into files, but for values that follow from its event. */
  private static Dataset<Row> written(ResolvedTable table) {
    Dataset<Row> rows = ((ResolvedChanges.Spread) table.changes()).rows();
    List<Column> columns = new ArrayList<>();
    table
        .table()
        .requireKey()
        .names()
        .forEach(name -> columns.add(col(EventRows.ROW).getField(name)));
    columns.add(col(EventRows.OP));
    columns.add(col(EventRows.ORDER));
    if (!hasRowIds(table)) {
      return rows.select(columns.toArray(Column[]::new));
    }
    Column found = col(ResolvedRows.FOUND);
    Column id =
        coalesce(
            found.getField(ResolvedRows.ROW_ID),
            col(FIRST_ROW_ID).plus(found.getField(ResolvedRows.POSITION)));
    columns.add(
        when(col(EventRows.OP).equalTo(EventRows.REMOVE), lit(null).cast(DataTypes.LongType))
            .otherwise(id)
            .as("written_row_id"));
    Dataset<Row> firsts = rows.sparkSession().createDataFrame(firstRowIds(table), FIRST_ROW_IDS);
    return rows.join(
            broadcast(firsts), found.getField(ResolvedRows.DATA_FILE).equalTo(col(PATH)), "left")
        .select(columns.toArray(Column[]::new));
  }

  private static List<Row> firstRowIds(ResolvedTable table) {
    List<Row> firsts = new ArrayList<>();
    table
        .touchedData()
        .forEach(
            (path, live) -> {
              Long first = live.file().firstRowId();
              if (first != null) {
                firsts.add(RowFactory.create(path, first));
              }
            });
    return firsts;
  }

  private static Optional<String> othersApply() {
    return Optional.of("others changed rows of its keys, and other changes apply");
  }

  private static Optional<String> othersIds() {
    return Optional.of("a row of its keys came, went or has another id");
  }
}
