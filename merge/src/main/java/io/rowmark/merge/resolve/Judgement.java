package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.substring;
import static org.apache.spark.sql.functions.when;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.normalize.NetChanges;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.normalize.Reject;
import io.rowmark.merge.plan.OpenIndex;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.resolve.ResolvedRows.State;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** Says of each placed net change whether it applies, is stale, or cannot become a row. */
final class Judgement {
  private static final int EXAMPLES = 20;

  private Judgement() {}

  /** The {@link State} of placed net changes. */
  static Column state(OpenTable table) {
    if (table.deletesByKey()) {
      return when(col(NetChanges.PROBLEM).isNotNull(), State.PROBLEM.name())
          .otherwise(State.NOT_LOOKED_UP.name());
    }
    OpenIndex index = table.index();
    return indexed(index == null ? null : index.truncatedAt());
  }

  private static Column indexed(byte @Nullable [] truncatedAt) {
    Column order = col(EventRows.ORDER);
    Column file = col(ResolvedRows.FOUND).getField(ResolvedRows.DATA_FILE);
    Column applied = col(ResolvedRows.FOUND).getField(ResolvedRows.APPLIED_ORDER);
    // an event with gaps that comes again is in the row already; the row that its values came from
    // may be gone by now, as after a change of key
    Column repeated = order.equalTo(applied).and(col(EventRows.UNAVAILABLE).isNotNull());
    Column stale = order.lt(applied).or(repeated);
    if (truncatedAt != null) {
      Column streamed = substring(order, 1, 1).equalTo(lit(new byte[] {ChangeOrder.STREAM_EPOCH}));
      stale = coalesce(stale, lit(false)).or(streamed.and(order.lt(lit(truncatedAt))));
    }
    Column unfilled =
        col(EventRows.UNAVAILABLE)
            .isNotNull()
            .and(col(ResolvedRows.FILL).getField(ResolvedRows.DATA_FILE).isNull());
    return when(coalesce(stale, lit(false)), State.STALE.name())
        .when(col(NetChanges.PROBLEM).isNotNull().or(unfilled), State.PROBLEM.name())
        .when(file.isNotNull(), State.LIVE.name())
        .when(col(ResolvedRows.FOUND).isNotNull(), State.TOMBSTONE.name())
        .otherwise(State.ABSENT.name());
  }

  /** The first changes that cannot become rows. */
  static List<Reject> problems(Dataset<Row> judged, NormalizedTable normalized) {
    return judged
        .filter(col(ResolvedRows.STATE).equalTo(State.PROBLEM.name()))
        .select(
            col(EventRows.FILE),
            col(EventRows.PLACE),
            coalesce(col(NetChanges.PROBLEM), lit(Reject.UNAVAILABLE_WITHOUT_BASE)))
        .orderBy(EventRows.FILE, EventRows.PLACE)
        .limit(EXAMPLES)
        .collectAsList()
        .stream()
        .map(
            row ->
                new Reject(
                    normalized.input().files().get(row.getInt(0)).name(),
                    row.getLong(1),
                    row.getString(2),
                    "",
                    reason(row.getString(2)),
                    null))
        .toList();
  }

  private static String reason(String code) {
    return code.equals(Reject.UNAVAILABLE_WITHOUT_LOOKUP)
        ? "the event leaves values out, and with equality deletes no earlier row is looked up to take them from; set delete-format of the table to position or deletion-vector, or make the source send whole rows (PostgreSQL: REPLICA IDENTITY FULL)"
        : "the event leaves values out and there is no earlier row to take them from";
  }
}
