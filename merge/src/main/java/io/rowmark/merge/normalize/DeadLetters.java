package io.rowmark.merge.normalize;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.RejectSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Sets rejected records aside and decides whether there are too many. */
public final class DeadLetters {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RejectSpec spec;
  private final Configuration hadoop;

  public DeadLetters(RejectSpec spec, Configuration hadoop) {
    this.spec = spec;
    this.hadoop = hadoop;
  }

  /**
   * Writes the rejects of a table to one file per batch: made again, it is written over.
   *
   * @param table data table
   */
  public void write(String batchId, String table, List<Reject> rejects) {
    if (rejects.isEmpty() || spec.path().isEmpty()) {
      return;
    }
    Path file = new Path(new Path(spec.path(), table), batchId + ".jsonl");
    try {
      FileSystem files = file.getFileSystem(hadoop);
      try (OutputStream out = files.create(file, true)) {
        for (Reject reject : rejects) {
          out.write(line(batchId, table, reject).getBytes(StandardCharsets.UTF_8));
          out.write('\n');
        }
      }
    } catch (IOException e) {
      throw RowmarkException.source(
          "Rejected records of table %s cannot be written to '%s': %s. Correct rejects.path."
              .formatted(table, file, e.getMessage()),
          e);
    }
  }

  private static String line(String batchId, String table, Reject reject) throws IOException {
    ObjectNode node = JSON.createObjectNode();
    node.put("batch_id", batchId);
    node.put("table", table);
    node.put("file", reject.file());
    node.put("record", reject.place());
    node.put("code", reject.code());
    node.put("column", reject.column());
    node.put("reason", reject.reason());
    byte[] raw = reject.raw();
    if (raw != null) {
      node.put("raw_base64", Base64.getEncoder().encodeToString(raw));
    }
    return JSON.writeValueAsString(node);
  }

  /**
   * Lets a batch with few rejects pass.
   *
   * @param total rejects of the batch, over all tables
   * @param examples some of them
   * @throws RowmarkException SOURCE when there are more than allowed
   */
  public void check(long total, List<Reject> examples) {
    if (total <= spec.maxRecords()) {
      return;
    }
    String codes =
        examples.stream()
            .collect(Collectors.groupingBy(Reject::code, TreeMap::new, Collectors.counting()))
            .entrySet()
            .stream()
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .collect(Collectors.joining(", "));
    String first =
        examples.stream().limit(3).map(Reject::describe).collect(Collectors.joining("\n  "));
    String kept =
        spec.path().isEmpty()
            ? "Set rejects.path to keep them"
            : "They are kept in '" + spec.path() + "'";
    throw RowmarkException.source(
        ("%s (%s), and rejects.max-records is %d. Nothing was committed."
                + "\n  %s\n%s; correct the source, or raise rejects.max-records to load without them.")
            .formatted(
                total == 1
                    ? "1 record cannot become a row"
                    : "%,d records cannot become rows".formatted(total),
                codes,
                spec.maxRecords(),
                first,
                kept));
  }
}
