package io.rowmark.app.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.upkeep.ReadLoad;
import io.rowmark.merge.maintain.ExpiryPlan;
import io.rowmark.merge.maintain.ExpiryReport;
import io.rowmark.merge.maintain.MaintainOutlook;
import io.rowmark.merge.maintain.MaintainReport;
import io.rowmark.merge.maintain.OrphanReport;
import io.rowmark.merge.maintain.PlannedStep;
import io.rowmark.merge.maintain.StepReport;
import io.rowmark.merge.maintain.TableLoad;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maintenance as JSON, with the fields always in the same order; see docs/maintain.md. */
public final class MaintainJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private MaintainJson() {}

  /** Of a dry run. */
  public static String outlooks(List<MaintainOutlook> outlooks) {
    return text(outlooks.stream().map(MaintainJson::outlook).toList());
  }

  public static String reports(List<MaintainReport> reports) {
    return text(reports.stream().map(MaintainJson::report).toList());
  }

  private static String text(List<?> tables) {
    try {
      return JSON.writeValueAsString(Map.of("tables", tables));
    } catch (JsonProcessingException e) {
      throw RowmarkException.internal("The report cannot be written as JSON", e);
    }
  }

  private static Map<String, @Nullable Object> report(MaintainReport report) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", report.before().table());
    fields.put("before", outlook(report.before()));
    fields.put("steps", report.steps().stream().map(MaintainJson::step).toList());
    fields.put("expiries", report.expiries().stream().map(MaintainJson::expiry).toList());
    fields.put("orphans", report.orphans().stream().map(MaintainJson::orphans).toList());
    fields.put("after", outlook(report.after()));
    fields.put("nothingLeft", report.after().isEmpty());
    fields.put("notes", report.notes());
    fields.put("millis", report.millis());
    return fields;
  }

  private static Map<String, @Nullable Object> outlook(MaintainOutlook outlook) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", outlook.table());
    fields.put("formatVersion", outlook.formatVersion());
    fields.put("loads", outlook.loads().stream().map(MaintainJson::load).toList());
    fields.put("steps", outlook.steps().stream().map(MaintainJson::planned).toList());
    fields.put("expiries", outlook.expiries().stream().map(MaintainJson::plan).toList());
    fields.put("notes", outlook.notes());
    return fields;
  }

  private static Map<String, @Nullable Object> load(TableLoad load) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", load.table());
    fields.put("now", load(load.now()));
    fields.put("predicted", load(load.predicted()));
    return fields;
  }

  private static Map<String, @Nullable Object> load(ReadLoad load) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("dataFiles", load.dataFiles());
    fields.put("dataBytes", load.dataBytes());
    fields.put("rows", load.rows());
    fields.put("deadRows", load.deadRows());
    fields.put("deleteFiles", load.deleteFiles());
    fields.put("deleteBytes", load.deleteBytes());
    fields.put("filesOpened", load.filesOpened());
    fields.put("liveBytes", load.liveBytes());
    fields.put("byteAmplification", load.byteAmplification());
    fields.put("rowAmplification", load.rowAmplification());
    return fields;
  }

  private static Map<String, @Nullable Object> planned(PlannedStep step) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("kind", step.kind().name().toLowerCase(Locale.ROOT));
    fields.put("table", step.table());
    fields.put("commits", step.commits());
    fields.put("filesIn", step.filesIn());
    fields.put("filesOut", step.filesOut());
    fields.put("bytes", step.bytes());
    fields.put("deadRows", step.deadRows());
    fields.put("deleteFiles", step.deleteFiles());
    return fields;
  }

  private static Map<String, @Nullable Object> step(StepReport step) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("kind", step.kind().name().toLowerCase(Locale.ROOT));
    fields.put("table", step.table());
    fields.put("snapshotId", step.snapshotId());
    fields.put("filesIn", step.filesIn());
    fields.put("filesOut", step.filesOut());
    fields.put("bytesIn", step.bytesIn());
    fields.put("bytesOut", step.bytesOut());
    fields.put("deleteFiles", step.deleteFiles());
    fields.put("rows", step.rows());
    fields.put("attempts", step.attempts());
    fields.put("millis", step.millis());
    return fields;
  }

  private static Map<String, @Nullable Object> plan(ExpiryPlan plan) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", plan.table());
    fields.put("snapshots", plan.snapshots());
    fields.put("toExpire", plan.expired());
    fields.put("before", plan.before().toString());
    fields.put("floor", plan.floor());
    fields.put("refusal", plan.refusal());
    return fields;
  }

  private static Map<String, @Nullable Object> expiry(ExpiryReport done) {
    Map<String, @Nullable Object> fields = plan(done.plan());
    fields.put("expired", done.snapshots());
    fields.put("dataFiles", done.dataFiles());
    fields.put("deleteFiles", done.deleteFiles());
    fields.put("metadataFiles", done.metadataFiles());
    fields.put("millis", done.millis());
    return fields;
  }

  private static Map<String, @Nullable Object> orphans(OrphanReport found) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", found.table());
    fields.put("unchangedSince", found.unchangedSince().toString());
    fields.put("files", found.files());
    fields.put("millis", found.millis());
    return fields;
  }
}
