package io.rowmark.app.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rowmark.formats.audit.AuditedSnapshot;
import io.rowmark.formats.audit.DeadRows;
import io.rowmark.formats.audit.DeleteGroup;
import io.rowmark.formats.audit.DeletesPerFile;
import io.rowmark.formats.audit.EqualityColumns;
import io.rowmark.formats.audit.FileTally;
import io.rowmark.formats.audit.Finding;
import io.rowmark.formats.audit.TableAudit;
import io.rowmark.formats.capability.Evidence;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.verdict.Ground;
import io.rowmark.formats.verdict.ReaderVerdict;
import io.rowmark.formats.verdict.Verdict;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A check as JSON, with the fields always in the same order; see docs/check.md. */
public final class CheckJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private CheckJson() {}

  public static String text(CheckReport report) {
    TableAudit audit = report.audit();
    Map<String, @Nullable Object> fields = table(audit.of());
    fields.put("data", data(audit));
    fields.put("deletes", audit.deletes().groups().stream().map(CheckJson::group).toList());
    fields.put(
        "equalityColumns",
        audit.deletes().equalityColumns().stream().map(CheckJson::columns).toList());
    fields.put("deletesPerDataFile", perDataFile(audit.perDataFile()));
    fields.put("findings", audit.findings().stream().map(CheckJson::finding).toList());
    fields.put("readersFrom", lower(report.choice()));
    fields.put("capabilitiesAsOf", report.capabilitiesAsOf().toString());
    fields.put("readableByAll", report.isReadableByAll());
    fields.put("readers", report.verdicts().stream().map(CheckJson::reader).toList());
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw RowmarkException.internal("The check cannot be written as JSON", e);
    }
  }

  private static Map<String, @Nullable Object> table(AuditedSnapshot of) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", of.table());
    fields.put("metadataFile", of.metadataFile());
    fields.put("formatVersion", of.formatVersion());
    fields.put("snapshotId", of.snapshotId());
    fields.put("committedAt", of.committedAt() == null ? null : of.committedAt().toString());
    fields.put("partitioning", lower(of.partitioning()));
    return fields;
  }

  private static Map<String, Object> data(TableAudit audit) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("files", audit.data().files());
    fields.put("records", audit.data().records());
    fields.put("bytes", audit.data().bytes());
    fields.put("smallFiles", audit.data().smallFiles());
    fields.put("smallBelowBytes", audit.data().smallBelowBytes());
    DeadRows dead = audit.deadRows();
    fields.put("deadRowsAtLeast", dead.atLeast());
    fields.put("deadRowsAtMost", dead.atMost());
    fields.put("deadFiles", dead.deadFiles());
    fields.put("unprovenFiles", dead.unprovenFiles());
    return fields;
  }

  private static Map<String, Object> group(DeleteGroup group) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", group.kind().text());
    fields.put("scope", lower(group.scope()));
    fields.put("specId", group.specId());
    fields.put("partitions", group.partitions());
    put(fields, group.tally());
    return fields;
  }

  private static Map<String, Object> columns(EqualityColumns columns) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("fieldIds", columns.fieldIds());
    fields.put("columns", columns.columns());
    put(fields, columns.tally());
    return fields;
  }

  private static void put(Map<String, Object> fields, FileTally tally) {
    fields.put("files", tally.files());
    fields.put("records", tally.records());
    fields.put("bytes", tally.bytes());
    fields.put("examples", tally.examples());
  }

  private static Map<String, Object> perDataFile(DeletesPerFile perDataFile) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("max", perDataFile.max());
    fields.put("buckets", perDataFile.buckets().stream().map(CheckJson::bucket).toList());
    fields.put("reaches", perDataFile.reaches().stream().map(CheckJson::reach).toList());
    return fields;
  }

  private static Map<String, Object> bucket(DeletesPerFile.Bucket bucket) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("from", bucket.from());
    fields.put("to", bucket.to());
    fields.put("dataFiles", bucket.dataFiles());
    return fields;
  }

  private static Map<String, Object> reach(DeletesPerFile.Reach reach) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", reach.kind().text());
    fields.put("scope", lower(reach.scope()));
    fields.put("dataFiles", reach.dataFiles());
    return fields;
  }

  private static Map<String, Object> finding(Finding finding) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", lower(finding.kind()));
    fields.put("gravity", lower(finding.kind().gravity()));
    fields.put("count", finding.count());
    fields.put("examples", finding.examples().stream().map(CheckJson::example).toList());
    return fields;
  }

  private static Map<String, @Nullable Object> example(Finding.Example example) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("dataFile", example.dataFile());
    fields.put("deleteFile", example.deleteFile());
    return fields;
  }

  private static Map<String, Object> reader(ReaderVerdict judged) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("reader", judged.reader().text());
    fields.put("heldTo", judged.heldTo());
    fields.put("verdict", judged.verdict().outcome().text());
    fields.put("right", judged.verdict().outcome().isRight());
    fields.put("grounds", judged.verdict().grounds().stream().map(CheckJson::ground).toList());
    fields.put("others", judged.others().stream().map(CheckJson::verdict).toList());
    return fields;
  }

  private static Map<String, Object> verdict(Verdict verdict) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("verdict", verdict.outcome().text());
    fields.put("grounds", verdict.grounds().stream().map(CheckJson::ground).toList());
    return fields;
  }

  private static Map<String, @Nullable Object> ground(Ground ground) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("kind", ground.kind());
    fields.put("file", ground.file());
    fields.put("files", ground.files());
    fields.put("reason", ground.reason());
    Evidence evidence = ground.evidence();
    fields.put("source", evidence == null ? null : evidence.source());
    fields.put("date", evidence == null ? null : evidence.date().toString());
    fields.put("confidence", evidence == null ? null : evidence.confidence().text());
    return fields;
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
