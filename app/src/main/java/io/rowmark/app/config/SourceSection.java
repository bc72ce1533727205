package io.rowmark.app.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.Fraction;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.RecordSpec;
import io.rowmark.merge.spec.RecordSpec.Csv;
import io.rowmark.merge.spec.RecordSpec.Format;
import io.rowmark.merge.spec.RecordSpec.Frames;
import io.rowmark.merge.spec.RecordSpec.Header;
import io.rowmark.merge.spec.SourcePlace;
import io.rowmark.merge.spec.SourcePlace.Changes;
import io.rowmark.merge.spec.SourcePlace.DeltaTables;
import io.rowmark.merge.spec.SourcePlace.Folder;
import io.rowmark.merge.spec.SourcePlace.IcebergTables;
import io.rowmark.merge.spec.SourcePlace.Removals;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableSpec;
import org.jspecify.annotations.Nullable;

/** Reads the settings of the source. */
final class SourceSection {
  /** The name of a format and an envelope together, from before there were others. */
  private static final String DEBEZIUM_JSON = "debezium-json";

  private static final String ENVELOPE = "envelope";
  private static final String DEBEZIUM = "debezium";

  /**
   * The ledger lets each version in once and in order, so orders need not be kept for later
   * batches.
   */
  private static final ConfigObject DELTA_VERSIONS =
      ConfigFactory.parseString("like = delta-changes, order-scope = batch").root();

  private SourceSection() {}

  static SourceSpec read(Section section) {
    Format format = format(section);
    SourcePlace place = place(section);
    return new SourceSpec(
        new RecordSpec(format, csv(section.section("csv")), frames(section.section("confluent"))),
        envelope(section, place),
        place,
        section.text("unavailable-value"),
        section.choice("finer-fractions", Fraction.class));
  }

  /** Kinds of places. */
  private enum Kind {
    FILES,
    ICEBERG,
    DELTA
  }

  private static SourcePlace place(Section section) {
    return switch (section.choice("kind", Kind.class)) {
      case FILES ->
          new Folder(
              section.text("path"), TransactionsSection.read(section.section("transactions")));
      case ICEBERG -> {
        refusePath(section, "iceberg");
        Section iceberg = section.section("iceberg");
        yield new IcebergTables(
            iceberg.choice("changes", Changes.class), iceberg.choice("removals", Removals.class));
      }
      case DELTA -> {
        refusePath(section, "delta");
        yield new DeltaTables();
      }
    };
  }

  private static void refusePath(Section section, String kind) {
    if (section.textOrNull("path") != null) {
      throw section.error(
          "path",
          "is set, but source.kind is %s. Remove it: the topic of a table names its source table."
              .formatted(kind));
    }
  }

  private static Format format(Section section) {
    if (!section.text("format").equals(DEBEZIUM_JSON)) {
      return section.choice("format", Format.class);
    }
    if (!(section.values().get(ENVELOPE) instanceof ConfigObject)
        && !section.text(ENVELOPE).equals(DEBEZIUM)) {
      throw section.error(
          "format",
          "is debezium-json, which means the envelope debezium, but source.envelope is %s. Write format = json."
              .formatted(section.text(ENVELOPE)));
    }
    return Format.JSON;
  }

  /** Refuses tables that the source says too little of. */
  static void check(PipelineSpec pipeline, Section source, Section tables) {
    TransactionsSection.check(pipeline, source.section("transactions"));
    RecordSpec records = pipeline.source().records();
    SourcePlace place = pipeline.source().place();
    boolean files = place instanceof Folder;
    boolean nameless =
        files && records.format() == Format.CSV && records.csv().header() == Header.NONE;
    for (TableSpec table : pipeline.tables()) {
      Section own = tables.section(table.table());
      checkPlace(place, table, own);
      if (nameless && table.feed().fields().isEmpty()) {
        throw tables.error(
            table.table(),
            "says no fields, but CSV files without header do not name them. Write fields ="
                + " [column, ...] in the order of the file, or source.csv.header = true.");
      }
      if (!table.feed().sourceTable().isEmpty() && pipeline.source().envelope().table().isEmpty()) {
        throw own.error(
            "source-table",
            "is '%s', but the records of the envelope %s name no table. Remove it, or say where the name is: source.envelope { table = [...] }."
                .formatted(table.feed().sourceTable(), pipeline.source().envelope().name()));
      }
    }
  }

  private static void checkPlace(SourcePlace place, TableSpec table, Section own) {
    if (place instanceof Folder) {
      if (table.feed().startSnapshot() != null) {
        throw own.error(
            "start-snapshot",
            "is set, but source.kind is files, which have no snapshots. Remove it.");
      }
      return;
    }
    String topic = table.topic();
    if (place instanceof DeltaTables && !topic.contains("/") && !topic.contains(".")) {
      throw own.error(
          "topic",
          "is '%s', but must be the path of the source table, as in \"s3://lake/%s\", or its name with its schema, as in \"raw.%s\"."
              .formatted(topic, topic, topic));
    }
    if (place instanceof IcebergTables && !topic.contains(".")) {
      throw own.error(
          "topic",
          "is '%s', but must name the source table with its namespace, as in \"raw.%s\"."
              .formatted(topic, topic));
    }
    if (place instanceof IcebergTables && topic.equals(table.table())) {
      throw own.error("topic", "is the table itself. Name the source table.");
    }
  }

  private static EnvelopeLayout envelope(Section section, SourcePlace place) {
    if (place instanceof IcebergTables tables && tables.changes() == Changes.SNAPSHOTS) {
      refuseEnvelope(section, "source.iceberg.changes is snapshots");
      return EnvelopeLayouts.named("iceberg-changelog");
    }
    if (place instanceof DeltaTables) {
      refuseEnvelope(section, "source.kind is delta");
      return EnvelopeLayouts.described(DELTA_VERSIONS);
    }
    if (section.values().get(ENVELOPE) instanceof ConfigObject description) {
      return EnvelopeLayouts.described(description);
    }
    try {
      return EnvelopeLayouts.named(section.text(ENVELOPE));
    } catch (RowmarkException e) {
      throw section.error(ENVELOPE, "is none: " + e.getMessage());
    }
  }

  private static void refuseEnvelope(Section section, String because) {
    if (section.values().get(ENVELOPE) instanceof ConfigObject
        || !section.text(ENVELOPE).equals(DEBEZIUM)) {
      throw section.error(
          ENVELOPE,
          "is set, but %s: rows of such tables are in no envelope. Remove it.".formatted(because));
    }
  }

  private static Csv csv(Section section) {
    return new Csv(
        section.flag("header") ? Header.FIRST_LINE : Header.NONE,
        character(section, "delimiter"),
        character(section, "quote"),
        section.optionalText("null-value"));
  }

  private static char character(Section section, String key) {
    String text = section.optionalText(key);
    if (text.length() != 1) {
      throw section.error(key, "is '%s', but must be one character.".formatted(text));
    }
    return text.charAt(0);
  }

  private static @Nullable Frames frames(Section section) {
    String field = section.textOrNull("field");
    String schemas = section.textOrNull("schemas");
    if (field == null && schemas == null) {
      return null;
    }
    if (field == null || schemas == null) {
      throw section.error(
          field == null ? "schemas" : "field",
          "is not enough. Framed Avro needs both: field, where it is in a record, and schemas, the"
              + " folder of its schemas.");
    }
    return new Frames(FieldPath.of(field), schemas);
  }
}
