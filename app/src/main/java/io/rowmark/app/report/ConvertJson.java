package io.rowmark.app.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.convert.ConversionOutlook;
import io.rowmark.index.convert.SliceReport;
import io.rowmark.index.publish.PublishOutlook;
import io.rowmark.index.publish.PublishReport;
import io.rowmark.merge.convert.ConvertOutlook;
import io.rowmark.merge.convert.ConvertReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A conversion as JSON, with the fields always in the same order; see docs/convert.md. */
public final class ConvertJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ConvertJson() {}

  /** Of a dry run. */
  public static String outlooks(List<ConvertOutlook> outlooks) {
    return text(outlooks.stream().map(ConvertJson::outlook).toList());
  }

  public static String reports(List<ConvertReport> reports) {
    return text(reports.stream().map(ConvertJson::report).toList());
  }

  private static String text(List<?> tables) {
    try {
      return JSON.writeValueAsString(Map.of("tables", tables));
    } catch (JsonProcessingException e) {
      throw RowmarkException.internal("The report cannot be written as JSON", e);
    }
  }

  private static Map<String, @Nullable Object> report(ConvertReport report) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", report.before().table());
    fields.put("before", outlook(report.before()));
    fields.put("slices", report.slices().stream().map(ConvertJson::slice).toList());
    fields.put(
        "publications", report.publications().stream().map(ConvertJson::publication).toList());
    fields.put("after", outlook(report.after()));
    fields.put("nothingLeft", report.after().isEmpty());
    fields.put("notes", report.notes());
    fields.put("millis", report.millis());
    return fields;
  }

  private static Map<String, @Nullable Object> outlook(ConvertOutlook outlook) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("table", outlook.table());
    fields.put("formatVersion", outlook.formatVersion());
    fields.put("to", outlook.to().text());
    ConversionOutlook conversion = outlook.conversion();
    if (conversion != null) {
      fields.put("deletes", conversion.kinds().stream().map(ConvertJson::kind).toList());
      fields.put("dataFiles", conversion.dataFiles());
      fields.put("rows", conversion.rows());
      fields.put("bytes", conversion.bytes());
      fields.put("bytesToCompare", conversion.bytesToCompare());
    }
    PublishOutlook publication = outlook.publication();
    if (publication != null) {
      fields.put("fromBranch", publication.branches().from());
      fields.put("toBranch", publication.branches().to());
      fields.put("sourceSnapshot", publication.source());
      fields.put("shownSnapshot", publication.shown());
      fields.put("comparedAll", publication.comparedAll());
      fields.put("filesNew", publication.filesNew());
      fields.put("filesGone", publication.filesGone());
      fields.put("filesToResolve", publication.filesToResolve());
      fields.put("bytesToCompare", publication.bytesToCompare());
    }
    return fields;
  }

  private static Map<String, Object> kind(ConversionOutlook.Kind kind) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", kind.kind().text());
    fields.put("files", kind.files());
    fields.put("records", kind.records());
    fields.put("bytes", kind.bytes());
    return fields;
  }

  private static Map<String, Object> slice(SliceReport slice) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("number", slice.number());
    fields.put("snapshotId", slice.snapshotId());
    fields.put("dataFiles", slice.counts().dataFiles());
    fields.put("bytes", slice.bytes());
    fields.put("rowsHidden", slice.counts().rowsHidden());
    fields.put("dataFilesDropped", slice.counts().dropped());
    fields.put("deleteFilesAdded", slice.counts().deleteFilesAdded());
    fields.put("deleteFilesRemoved", slice.counts().deleteFilesRemoved());
    fields.put("index", slice.index().name().toLowerCase(Locale.ROOT));
    fields.put("attempts", slice.attempts());
    fields.put("dataFilesLeft", slice.filesLeft());
    fields.put("bytesLeft", slice.bytesLeft());
    fields.put("millis", slice.millis());
    return fields;
  }

  private static Map<String, @Nullable Object> publication(PublishReport done) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("number", done.number());
    fields.put("sourceSnapshot", done.source());
    fields.put("sourceSnapshots", done.sourceSnapshots());
    fields.put("snapshotId", done.target());
    fields.put("comparedAll", done.comparedAll());
    fields.put("filesAdded", done.filesAdded());
    fields.put("filesRemoved", done.filesRemoved());
    fields.put("filesMasked", done.filesMasked());
    fields.put("filesResolved", done.filesResolved());
    fields.put("bytesCompared", done.bytesCompared());
    fields.put("rowsHidden", done.rowsHidden());
    fields.put("deleteFilesAdded", done.deleteFilesAdded());
    fields.put("attempts", done.attempts());
    fields.put("millis", done.millis());
    return fields;
  }
}
