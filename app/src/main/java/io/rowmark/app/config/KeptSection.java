package io.rowmark.app.config;

import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.RowImages.CarryOvers;
import io.rowmark.formats.change.SourceOrder;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.MetadataColumns;
import org.jspecify.annotations.Nullable;

/** Reads what a table keeps of rows that are changed or deleted. */
final class KeptSection {
  private static final String SOFT = "soft-delete";
  private static final String HISTORY = "history";

  private KeptSection() {}

  /** What becomes of deleted rows. */
  private enum Deletes {
    HARD,
    SOFT
  }

  /**
   * @param settings of the table
   * @param key key columns
   */
  static KeptRows read(TableSpec.Mode mode, List<String> key, Section settings) {
    Deletes deletes = settings.choice("deletes", Deletes.class);
    if (deletes == Deletes.SOFT && mode != TableSpec.Mode.KEYED) {
      throw settings.error(
          "deletes",
          "is soft, which is for tables of mode = keyed: %s"
              .formatted(
                  mode == TableSpec.Mode.HISTORY
                      ? "a history keeps deleted rows as it is. Remove it."
                      : "an append-only table takes no deletes. Remove it."));
    }
    KeptRows kept =
        mode == TableSpec.Mode.HISTORY
            ? versions(settings.section(HISTORY))
            : deletes == Deletes.SOFT ? deleted(settings.section(SOFT)) : KeptRows.NONE;
    checkNames(kept, key, settings);
    boolean equality =
        settings.choice("delete-format", WantedDeletes.class) == WantedDeletes.EQUALITY;
    if (equality && kept.needsLookup()) {
      throw settings.error(
          "delete-format",
          mode == TableSpec.Mode.HISTORY
              ? "is equality, but a history has to find the version that it ends. Write auto, position or deletion-vector."
              : "is equality, which looks no row up, but with deletes = soft the values of a deleted row come from the table. Write auto, position or deletion-vector; or soft-delete.images = whole if every delete event holds the whole row.");
    }
    return kept;
  }

  private static KeptRows deleted(Section section) {
    return new KeptRows.Deleted(
        section.text("flag"),
        orNull(section, "at"),
        section.choice("images", KeptRows.Images.class));
  }

  private static KeptRows versions(Section section) {
    return new KeptRows.Versions(
        new VersionColumns(
            section.text("valid-from"), section.text("valid-to"), orNull(section, "is-current")),
        orNull(section, "time"));
  }

  private static @Nullable String orNull(Section section, String key) {
    String text = section.optionalText(key);
    return text.isBlank() ? null : text;
  }

  /** The columns that the settings name, by setting. */
  private static Map<String, String> named(KeptRows kept) {
    Map<String, @Nullable String> names = new LinkedHashMap<>();
    if (kept instanceof KeptRows.Deleted deleted) {
      names.put("flag", deleted.flag());
      names.put("at", deleted.at());
    } else if (kept instanceof KeptRows.Versions versions) {
      names.put("valid-from", versions.names().from());
      names.put("valid-to", versions.names().to());
      names.put("is-current", versions.names().current());
      names.put("time", versions.time());
    }
    Map<String, String> given = new LinkedHashMap<>();
    names.forEach(
        (setting, name) -> {
          if (name != null) {
            given.put(setting, name);
          }
        });
    return given;
  }

  private static void checkNames(KeptRows kept, List<String> key, Section settings) {
    Section section = settings.section(kept instanceof KeptRows.Versions ? HISTORY : SOFT);
    Set<String> declared = settings.section("columns").values().keySet();
    Set<String> seen = new HashSet<>();
    named(kept)
        .forEach(
            (setting, name) -> {
              if (!seen.add(name)) {
                throw section.error(
                    setting,
                    "is %s, as another of these columns is. Choose another name.".formatted(name));
              }
              if (MetadataColumns.isMetadataColumn(name)) {
                throw section.error(
                    setting,
                    "is %s, a name that Iceberg keeps for itself. Choose another name."
                        .formatted(name));
              }
              boolean ofSource = key.contains(name) || declared.contains(name);
              if (ofSource && kept.columns().containsKey(name)) {
                throw section.error(
                    setting,
                    "is %s, which is a column of the source by %s. Choose another name."
                        .formatted(name, key.contains(name) ? "key" : "columns"));
              }
            });
  }

  /** Refuses tables whose source tells too little to keep rows. */
  static void check(PipelineSpec pipeline, Section tables) {
    for (TableSpec table : pipeline.tables()) {
      Section own = tables.section(table.table());
      if (table.kept() instanceof KeptRows.Versions) {
        checkHistory(pipeline, own);
      } else if (table.kept() instanceof KeptRows.Deleted deleted
          && deleted.at() != null
          && pipeline.source().envelope().time() == null) {
        throw own.error(
            SOFT,
            "names a column for the time of deletion, but the envelope %s tells no times. Say where they are, as in source.envelope { time { path = ..., unit = milliseconds } }, or remove soft-delete.at."
                .formatted(pipeline.source().envelope().name()));
      }
    }
  }

  private static void checkHistory(PipelineSpec pipeline, Section own) {
    EnvelopeLayout envelope = pipeline.source().envelope();
    if (pipeline.index().order() == IndexSpec.Order.NOT_KEPT) {
      throw own.error(
          "mode",
          "is history, which knows late and repeated events by the order that the index keeps; but index.keep-order is false. Write index.keep-order = true.");
    } else if (envelope.order().scope() == SourceOrder.Scope.BATCH) {
      throw own.error(
          "mode",
          "is history, but the envelope %s has no order that lasts beyond a batch, so that a repeated event would become one more version. Feed a table of mode = keyed."
              .formatted(envelope.name()));
    } else if (envelope.images().carryOvers() == CarryOvers.DROP) {
      throw own.error(
          "mode",
          "is history, but records of the envelope %s also tell of rows that were only copied, which would become versions. Feed a table of mode = keyed."
              .formatted(envelope.name()));
    } else if (envelope.time() == null) {
      throw own.error(
          "mode",
          "is history, but the envelope %s tells no times at which versions begin and end. Say where they are, as in source.envelope { time { path = ..., unit = milliseconds } }."
              .formatted(envelope.name()));
    }
  }
}
