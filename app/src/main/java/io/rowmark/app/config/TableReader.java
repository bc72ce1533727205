package io.rowmark.app.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.formats.delete.Wishes.WantedVersion;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.SourceType;
import io.rowmark.merge.spec.ReadersSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Reads the settings of one table.
 *
 * @param types from the text of a declaration to a type; throws CONFIG for text that is none
 * @param data what is known of readers
 */
record TableReader(Function<String, SourceType> types, CapabilityData data) {

  /**
   * @param settings of the table, over those of table-defaults
   */
  TableSpec read(String table, Section settings) {
    TableSpec.Mode mode = settings.choice("mode", TableSpec.Mode.class);
    List<String> key = key(table, mode, settings);
    return new TableSpec(
        settings.text("topic"),
        table,
        mode,
        key,
        columns(settings.section("columns")),
        settings.texts("partition-by"),
        settings.properties("properties"),
        settings.choice("schema-policy", TableSpec.SchemaPolicy.class),
        settings.choice("truncate-policy", TableSpec.TruncatePolicy.class),
        new TableFeed(
            settings.optionalText("source-table"),
            settings.texts("fields"),
            settings.optionalText("start-snapshot").isEmpty()
                ? null
                : settings.number("start-snapshot", 0)),
        readers(settings),
        KeptSection.read(mode, key, settings),
        duplicateKeys(mode, settings));
  }

  private static TableSpec.DuplicateKeys duplicateKeys(TableSpec.Mode mode, Section settings) {
    TableSpec.DuplicateKeys wanted =
        settings.choice("duplicate-keys", TableSpec.DuplicateKeys.class);
    if (wanted == TableSpec.DuplicateKeys.KEEP_NEWEST && mode == TableSpec.Mode.HISTORY) {
      throw settings.error(
          "duplicate-keys",
          "is keep-newest, but a history keeps several rows of a key. Write fail, or leave it out.");
    }
    return wanted;
  }

  private static List<String> key(String table, TableSpec.Mode mode, Section settings) {
    List<String> key = settings.texts("key");
    switch (mode) {
      case KEYED, HISTORY -> {
        if (key.isEmpty()) {
          throw settings.error(
              "key",
              "is empty, but table %s is %s. Write key = [column, ...], or mode = append-only"
                      .formatted(table, mode == TableSpec.Mode.KEYED ? "keyed" : "a history")
                  + " if its rows have no key.");
        }
        if (new HashSet<>(key).size() < key.size()) {
          throw settings.error("key", "names a column twice. Remove one.");
        }
      }
      case APPEND_ONLY -> {
        if (!key.isEmpty()) {
          throw settings.error(
              "key",
              "names columns, but table %s is append-only and has no key. Write key = [], or mode ="
                      .formatted(table)
                  + " keyed.");
        }
      }
    }
    return key;
  }

  private ReadersSpec readers(Section settings) {
    List<String> readers = settings.texts("readers");
    if (readers.isEmpty()) {
      throw RowmarkException.config(
          "%s: the required setting %s is missing. Name every engine that reads the table, as in table-defaults.readers = [spark, \"trino 480\"]: they decide how deletes are written. docs/readers.md lists those that are known."
              .formatted(settings.file(), Place.path(settings.path(), "readers")));
    }
    Audience audience =
        new Audience(
            named(settings, "readers", readers, data::reader),
            new TreeSet<>(named(settings, "allow", settings.texts("allow"), data::condition)));
    Wishes.Upgrade upgrade =
        settings.flag("allow-format-upgrade") ? Wishes.Upgrade.ALLOWED : Wishes.Upgrade.REFUSED;
    return new ReadersSpec(
        audience,
        new Wishes(
            settings.choice("delete-format", WantedDeletes.class), version(settings), upgrade));
  }

  private static <T> List<T> named(
      Section settings, String key, List<String> texts, Function<String, T> find) {
    try {
      return texts.stream().map(find).toList();
    } catch (RowmarkException e) {
      throw settings.error(key, "cannot be: " + e.getMessage());
    }
  }

  private static WantedVersion version(Section settings) {
    String text = settings.text("format-version");
    return switch (text) {
      case "auto" -> WantedVersion.AUTO;
      case "2" -> WantedVersion.V2;
      case "3" -> WantedVersion.V3;
      default ->
          throw settings.error(
              "format-version",
              "is '%s', but must be auto, 2 or 3: version 1 cannot delete rows, later ones are not known."
                  .formatted(text));
    };
  }

  private Map<String, ColumnDeclaration> columns(Section section) {
    Map<String, ColumnDeclaration> columns = new LinkedHashMap<>();
    section.entries().forEach((name, value) -> columns.put(name, column(section, name, value)));
    return columns;
  }

  private ColumnDeclaration column(Section section, String name, ConfigValue value) {
    if (!(value instanceof ConfigObject)) {
      return new ColumnDeclaration(type(section, name, section.text(name)), null);
    }
    Section declaration = section.section(name);
    String type = declaration.textOrNull("type");
    String defaultValue = declaration.textOrNull("default");
    if (type == null && defaultValue == null) {
      throw section.error(name, "says nothing. Write a type, a default, or both.");
    }
    return new ColumnDeclaration(
        type == null ? null : type(declaration, "type", type), defaultValue);
  }

  private SourceType type(Section section, String key, String text) {
    try {
      return types.apply(text);
    } catch (RowmarkException e) {
      throw section.error(key, "declares no type: " + e.getMessage());
    }
  }
}
