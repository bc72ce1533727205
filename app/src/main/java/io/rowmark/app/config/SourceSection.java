package io.rowmark.app.config;

import com.typesafe.config.ConfigObject;
import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.change.SourceOrder;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.Fraction;
import io.rowmark.merge.spec.BatchCut;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.RecordSpec;
import io.rowmark.merge.spec.RecordSpec.Csv;
import io.rowmark.merge.spec.RecordSpec.Format;
import io.rowmark.merge.spec.RecordSpec.Frames;
import io.rowmark.merge.spec.RecordSpec.Header;
import io.rowmark.merge.spec.SourcePlace;
import io.rowmark.merge.spec.SourcePlace.Changes;
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
    ICEBERG
  }

  private static SourcePlace place(Section section) {
    return switch (section.choice("kind", Kind.class)) {
      case FILES -> new Folder(section.text("path"), cut(section.section("transactions")));
      case ICEBERG -> {
        if (section.textOrNull("path") != null) {
          throw section.error(
              "path",
              "is set, but source.kind is iceberg. Remove it: the topic of a table names its source"
                  + " table.");
        }
        Section iceberg = section.section("iceberg");
        yield new IcebergTables(
            iceberg.choice("changes", Changes.class), iceberg.choice("removals", Removals.class));
      }
    };
  }

  /** Names of the ways to end a batch. */
  private enum CutName {
    ANYWHERE,
    TRANSACTIONS,
    LOG_POSITION
  }

  private static BatchCut cut(Section section) {
    CutName name = section.choice("cut", CutName.class);
    String topic = section.textOrNull("topic");
    if (topic != null && name != CutName.TRANSACTIONS) {
      throw section.error(
          "topic", "is set, but only cut = transactions reads it. Remove it, or set the cut.");
    }
    return switch (name) {
      case ANYWHERE -> BatchCut.ANYWHERE;
      case LOG_POSITION -> new BatchCut.LogPosition(section.duration("settle"));
      case TRANSACTIONS -> {
        if (topic == null) {
          throw section.error(
              "topic",
              "is missing, and cut = transactions needs it. Name the topic of the transaction"
                  + " metadata, as in shop.transaction.");
        }
        yield new BatchCut.Transactions(topic);
      }
    };
  }

  private static void checkCut(PipelineSpec pipeline, Section transactions) {
    EnvelopeLayout envelope = pipeline.source().envelope();
    if (!(pipeline.source().place() instanceof Folder folder)) {
      return;
    }
    if (folder.cut() instanceof BatchCut.Transactions && envelope.transaction().id() == null) {
      throw transactions.error(
          "cut",
          "is transactions, but the records of the envelope %s name none. Set it to log-position, or say where the name is: source.envelope { transaction.id = ... }."
              .formatted(envelope.name()));
    }
    if (folder.cut() instanceof BatchCut.LogPosition
        && (envelope.order().choices().isEmpty()
            || envelope.order().scope() == SourceOrder.Scope.BATCH)) {
      throw transactions.error(
          "cut",
          "is log-position, but the envelope %s gives no order that holds over batches. Set it to anywhere, or describe the order: source.envelope { order = [...] }."
              .formatted(envelope.name()));
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
    checkCut(pipeline, source.section("transactions"));
    RecordSpec records = pipeline.source().records();
    boolean files = pipeline.source().place() instanceof Folder;
    boolean nameless =
        files && records.format() == Format.CSV && records.csv().header() == Header.NONE;
    for (TableSpec table : pipeline.tables()) {
      Section own = tables.section(table.table());
      checkPlace(files, table, own);
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

  private static void checkPlace(boolean files, TableSpec table, Section own) {
    if (files && table.feed().startSnapshot() != null) {
      throw own.error(
          "start-snapshot",
          "is set, but source.kind is files, which have no snapshots. Remove it.");
    }
    if (!files && !table.topic().contains(".")) {
      throw own.error(
          "topic",
          "is '%s', but must name the source table with its namespace, as in \"raw.%s\"."
              .formatted(table.topic(), table.topic()));
    }
    if (!files && table.topic().equals(table.table())) {
      throw own.error("topic", "is the table itself. Name the source table.");
    }
  }

  private static EnvelopeLayout envelope(Section section, SourcePlace place) {
    if (place instanceof IcebergTables tables && tables.changes() == Changes.SNAPSHOTS) {
      if (section.values().get(ENVELOPE) instanceof ConfigObject
          || !section.text(ENVELOPE).equals(DEBEZIUM)) {
        throw section.error(
            ENVELOPE,
            "is set, but source.iceberg.changes is snapshots: rows of such tables are in no"
                + " envelope. Remove it.");
      }
      return EnvelopeLayouts.named("iceberg-changelog");
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
