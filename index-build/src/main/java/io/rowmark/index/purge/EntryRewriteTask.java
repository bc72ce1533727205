package io.rowmark.index.purge;

import io.rowmark.formats.index.IndexLayout;
import io.rowmark.index.write.TaskNumber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;

/**
 * Writes index files again: those that hold a key, and those with entries of rows that lie
 * elsewhere now. Yields serialized {@link RewrittenEntries} of the files that were written.
 */
final class EntryRewriteTask implements FlatMapFunction<Iterator<RewriteItem>, byte[]> {
  private static final long serialVersionUID = 1L;
  private static final int MOST_PATHS = 200;

  private final Broadcast<PurgePlan> shipped;
  private final Broadcast<HashMap<String, MovedFile>> moves;

  EntryRewriteTask(Broadcast<PurgePlan> shipped, Broadcast<HashMap<String, MovedFile>> moves) {
    this.shipped = shipped;
    this.moves = moves;
  }

  @Override
  public Iterator<byte[]> call(Iterator<RewriteItem> items) {
    PurgePlan plan = shipped.value();
    Map<String, MovedFile> moved = moves.value();
    FileRewriter rewriter = new FileRewriter(plan, TaskNumber.current());
    WantedKeys.Matcher matcher = plan.keys().matcher(rewriter.schema());
    int width = plan.keys().key().columns().size();
    List<byte[]> results = new ArrayList<>();
    while (items.hasNext()) {
      RewriteItem item = items.next();
      String path = item.live().path();
      try {
        if (item.reason() == RewriteItem.Reason.HOLDS_KEYS || namesMoved(plan, item, moved)) {
          EntryRule rule = new EntryRule(matcher, moved, width);
          FileRewriter.Rewritten rewritten = rewriter.rewrite(item, rule);
          results.add(SerializationUtil.serializeToBytes(rule.result(path, rewritten)));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot write index file " + path + " again", e);
      }
    }
    return results.iterator();
  }

  /** Reads one column, of which a row group holds each path once. */
  private static boolean namesMoved(PurgePlan plan, RewriteItem item, Map<String, MovedFile> moved)
      throws IOException {
    NestedField file = plan.table().schema().findField(IndexLayout.DATA_FILE);
    Expression groups =
        moved.size() > MOST_PATHS
            ? Expressions.alwaysTrue()
            : Expressions.in(file.name(), moved.keySet().toArray());
    try (FileRecords.Rows rows = plan.records().rows(item.live(), List.of(file), groups)) {
      for (Record entry : rows.records()) {
        String path = entry.get(0, String.class);
        if (path != null && moved.containsKey(path) && rows.isLive(entry)) {
          return true;
        }
      }
    }
    return false;
  }
}
