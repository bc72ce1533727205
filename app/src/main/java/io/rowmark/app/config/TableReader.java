package io.rowmark.app.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.SourceType;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads the settings of one table.
 *
 * @param types from the text of a declaration to a type; throws CONFIG for text that is none
 */
record TableReader(Function<String, SourceType> types) {

  /**
   * @param settings of the table, over those of table-defaults
   */
  TableSpec read(String table, Section settings) {
    TableSpec.Mode mode = settings.choice("mode", TableSpec.Mode.class);
    return new TableSpec(
        settings.text("topic"),
        table,
        mode,
        key(table, mode, settings),
        columns(settings.section("columns")),
        settings.texts("partition-by"),
        formatVersion(settings),
        settings.properties("properties"),
        settings.choice("schema-policy", TableSpec.SchemaPolicy.class),
        settings.choice("truncate-policy", TableSpec.TruncatePolicy.class),
        new TableFeed(settings.optionalText("source-table"), settings.texts("fields")));
  }

  private static List<String> key(String table, TableSpec.Mode mode, Section settings) {
    List<String> key = settings.texts("key");
    switch (mode) {
      case KEYED -> {
        if (key.isEmpty()) {
          throw settings.error(
              "key",
              "is empty, but table %s is keyed. Write key = [column, ...], or mode = append-only"
                      .formatted(table)
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

  private static int formatVersion(Section settings) {
    int version = settings.smallNumber("format-version", 1);
    if (version != 2 && version != 3) {
      throw settings.error(
          "format-version",
          "is %d, but must be 2 or 3: version 1 cannot delete rows, later ones are not known."
              .formatted(version));
    }
    return version;
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
