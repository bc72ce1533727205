package io.rowmark.index.purge;

import io.rowmark.index.purge.FileRewriter.Rewritten;
import io.rowmark.index.write.TaskNumber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;

/** Writes data files again without the keys; yields serialized {@link RewrittenRows}. */
final class RowRewriteTask implements FlatMapFunction<Iterator<RewriteItem>, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<PurgePlan> shipped;

  RowRewriteTask(Broadcast<PurgePlan> shipped) {
    this.shipped = shipped;
  }

  @Override
  public Iterator<byte[]> call(Iterator<RewriteItem> items) {
    PurgePlan plan = shipped.value();
    FileRewriter rewriter = new FileRewriter(plan, TaskNumber.current());
    WantedKeys.Matcher matcher = plan.keys().matcher(rewriter.schema());
    List<byte[]> results = new ArrayList<>();
    while (items.hasNext()) {
      RewriteItem item = items.next();
      String path = item.live().path();
      long[] purged = new long[1];
      try {
        Rewritten rewritten =
            rewriter.rewrite(
                item,
                row -> {
                  boolean wanted = matcher.matches(row);
                  purged[0] += wanted ? 1 : 0;
                  return !wanted;
                });
        MovedFile moved =
            MovedFile.of(
                path, item.live().file().firstRowId(), rewritten.kept(), rewritten.files());
        results.add(
            SerializationUtil.serializeToBytes(
                new RewrittenRows(moved, rewritten.files(), purged[0])));
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot write data file " + path + " again", e);
      }
    }
    return results.iterator();
  }
}
