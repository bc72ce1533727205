package io.rowmark.app.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.purge.KeyHolder;
import io.rowmark.index.purge.TableProof;
import io.rowmark.merge.purge.ProofReport;
import io.rowmark.merge.purge.PurgeReport;
import io.rowmark.merge.purge.PurgeReport.Done;
import io.rowmark.merge.purge.PurgeReport.Found;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Purges and proofs as JSON, with the fields always in the same order; see docs/purge.md. */
public final class PurgeJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private PurgeJson() {}

  public static String of(PurgeReport report) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", report.table());
    fields.put("index", report.index());
    fields.put("keys", report.keys());
    fields.put("found", found(report.found()));
    Done done = report.done();
    fields.put("done", done == null ? null : done(done));
    fields.put("retained", report.retained().stream().map(PurgeJson::holder).toList());
    fields.put("gaps", report.gaps());
    fields.put("elsewhere", report.elsewhere());
    fields.put("notes", report.notes());
    fields.put("millis", report.millis());
    return text(fields);
  }

  public static String of(ProofReport report) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", report.table());
    fields.put("keys", report.keys());
    fields.put("proven", report.isProven());
    fields.put("tables", report.tables().stream().map(PurgeJson::proof).toList());
    fields.put("elsewhere", report.elsewhere());
    fields.put("millis", report.millis());
    return text(fields);
  }

  private static String text(Map<String, @Nullable Object> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw RowmarkException.internal("The report cannot be written as JSON", e);
    }
  }

  private static Map<String, Object> found(Found found) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("dataFilesRead", found.filesRead());
    fields.put("dataBytesRead", found.bytesRead());
    fields.put("dataFiles", found.dataFiles());
    fields.put("rows", found.rows());
    fields.put("deadRows", found.deadRows());
    fields.put("equalityDeleteFiles", found.deleteFiles());
    fields.put("indexFilesRead", found.indexFilesRead());
    fields.put("indexFiles", found.indexFiles());
    fields.put("entries", found.entries());
    fields.put("tombstones", found.tombstones());
    fields.put("deadEntries", found.deadEntries());
    return fields;
  }

  private static Map<String, @Nullable Object> done(Done done) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("id", done.id());
    fields.put("protocol", done.protocol());
    fields.put("attempts", done.attempts());
    fields.put("dataFilesRemoved", done.dataFilesRemoved());
    fields.put("dataFilesAdded", done.dataFilesAdded());
    fields.put("rowsKept", done.rowsKept());
    fields.put("indexFilesRemoved", done.indexFilesRemoved());
    fields.put("indexFilesAdded", done.indexFilesAdded());
    fields.put("entriesMoved", done.entriesMoved());
    fields.put("equalityDeleteFilesRemoved", done.deleteFilesRemoved());
    fields.put("bytesWritten", done.bytesWritten());
    fields.put("dataSnapshot", done.dataSnapshot());
    fields.put("indexSnapshot", done.indexSnapshot());
    return fields;
  }

  private static Map<String, Object> proof(TableProof proof) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("table", proof.table());
    fields.put("snapshots", proof.snapshots());
    fields.put("files", proof.files());
    fields.put("filesRead", proof.filesRead());
    fields.put("bytesRead", proof.bytesRead());
    fields.put("holders", proof.holders().stream().map(PurgeJson::holder).toList());
    fields.put("gaps", proof.gaps());
    return fields;
  }

  private static Map<String, Object> holder(KeyHolder holder) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("table", holder.table());
    fields.put("kind", holder.kind().name().toLowerCase(Locale.ROOT));
    fields.put("state", holder.state().name().toLowerCase(Locale.ROOT));
    fields.put("location", holder.location());
    fields.put("snapshots", holder.snapshots());
    fields.put("refs", holder.refs());
    return fields;
  }
}
