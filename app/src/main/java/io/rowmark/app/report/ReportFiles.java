package io.rowmark.app.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rowmark.app.config.ReportSpec;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.report.BatchReport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Writes the report of a run as JSON, one file a run, with the fields always in the same order.
 *
 * <p>The JSON is built from plain maps: that keeps the order in sight, and needs nothing of Jackson
 * that differs between the versions that Spark distributions ship.
 */
public final class ReportFiles {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ReportFiles() {}

  /**
   * Writes the file.
   *
   * @return where; empty if no folder is configured
   * @throws RowmarkException SOURCE when the folder cannot be written
   */
  public static Optional<String> write(ReportSpec spec, BatchReport report) {
    if (spec.dir().isBlank()) {
      return Optional.empty();
    }
    String file = spec.dir().replaceAll("/+$", "") + "/" + name(report);
    try (OutputStream out = open(file)) {
      out.write(json(report));
      return Optional.of(file);
    } catch (IOException | IllegalArgumentException e) {
      throw RowmarkException.source(
          ("The report cannot be written to %s: %s. The batch itself is not affected. Correct"
                  + " report.dir or --report.")
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /** Names sort by time: pipeline, start, and the outcome. */
  static String name(BatchReport report) {
    String started = report.startedAt().replaceAll("[^0-9A-Za-z]", "");
    String pipeline = report.pipeline().replaceAll("[^0-9A-Za-z._-]", "_");
    String outcome = report.outcome().name().toLowerCase(java.util.Locale.ROOT);
    return "%s-%s-%s.json".formatted(pipeline, started, outcome);
  }

  private static OutputStream open(String file) throws IOException {
    boolean remote = file.matches("[A-Za-z][A-Za-z0-9+.-]+:/.*") && !file.startsWith("file:");
    if (remote) {
      URI uri = URI.create(file);
      return FileSystem.get(uri, new Configuration())
          .create(new org.apache.hadoop.fs.Path(uri), true);
    }
    Path path = file.startsWith("file:") ? Path.of(URI.create(file)) : Path.of(file);
    Files.createDirectories(path.toAbsolutePath().getParent());
    return Files.newOutputStream(path);
  }

  static byte[] json(BatchReport report) throws IOException {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("pipeline", report.pipeline());
    fields.put("outcome", report.outcome().name());
    fields.put("batchId", report.batchId());
    fields.put("protocol", report.protocol());
    fields.put("attempts", report.attempts());
    fields.put("again", report.again().stream().map(ReportFiles::again).toList());
    fields.put("inputs", inputs(report.inputs()));
    fields.put("startedAt", report.startedAt());
    fields.put("millis", report.millis());
    fields.put("steps", report.steps().stream().map(ReportFiles::step).toList());
    fields.put("tables", report.tables().stream().map(ReportFiles::table).toList());
    fields.put("failure", failure(report.failure()));
    return JSON.writeValueAsBytes(fields);
  }

  private static Map<String, @Nullable Object> again(BatchReport.NewAttempt next) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("attempt", next.attempt());
    fields.put("refusal", next.refusal());
    fields.put("redone", next.redone());
    fields.put("keysLookedUp", next.keysLookedUp());
    fields.put("dataFilesKept", next.dataFilesKept());
    return fields;
  }

  private static Map<String, Object> inputs(BatchReport.InputReport inputs) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("passedOver", inputs.passedOver());
    fields.put("touched", inputs.touched());
    fields.put("notes", List.copyOf(inputs.notes()));
    return fields;
  }

  private static Map<String, Object> step(BatchReport.StepTime step) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("step", step.step());
    fields.put("millis", step.millis());
    return fields;
  }

  private static Map<String, @Nullable Object> table(BatchReport.TableReport table) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", table.table());
    fields.put("snapshotBefore", table.snapshotBefore());
    fields.put("snapshotAfter", table.snapshotAfter());
    fields.put("indexSnapshotAfter", table.indexSnapshotAfter());
    fields.put("counts", table.counts());
    fields.put("skipped", table.skipped());
    fields.put("rejected", table.rejected());
    fields.put("notes", List.copyOf(table.notes()));
    return fields;
  }

  private static @Nullable Map<String, Object> failure(BatchReport.@Nullable Failure failure) {
    if (failure == null) {
      return null;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("category", failure.category());
    fields.put("retryHelps", failure.retryHelps());
    fields.put("message", failure.message());
    return fields;
  }
}
