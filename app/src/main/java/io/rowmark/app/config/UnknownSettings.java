package io.rowmark.app.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.rowmark.formats.failure.NearestName;
import io.rowmark.formats.failure.RowmarkException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Refuses settings that do not exist, so that a misspelt one is not silently without effect. What
 * exists is what the reference holds.
 */
final class UnknownSettings {
  /** Sections whose keys are the user's own, or which are checked where they are read. */
  private static final Set<String> OPEN =
      Set.of("capabilities", "catalog.properties", "spark.conf", "table-defaults.properties");

  private static final Set<String> COLUMN_SETTINGS = Set.of("type", "default");
  private static final String TABLES = "tables";
  private static final String TABLE_DEFAULTS = "table-defaults";
  private static final String COLUMNS = "columns";

  private UnknownSettings() {}

  static void refuse(ConfigObject root, ConfigObject reference) {
    refuse(root, reference, "");
    ConfigObject tableSettings = reference.toConfig().getObject(TABLE_DEFAULTS);
    refuseInTable(root, TABLE_DEFAULTS, "");
    if (root.get(TABLES) instanceof ConfigObject tables) {
      for (String table : sorted(tables.keySet())) {
        String path = Place.path(TABLES, table);
        if (tables.get(table) instanceof ConfigObject settings) {
          refuseUnquoted(table, settings, path, tableSettings.keySet());
          refuseKeys(settings, tableSettings.keySet(), path);
          refuseInTable(tables, table, TABLES);
          refuseInSections(settings, tableSettings, path);
        }
      }
    }
  }

  private static void refuse(ConfigObject settings, ConfigObject known, String path) {
    refuseKeys(settings, known.keySet(), path);
    for (Map.Entry<String, ConfigValue> entry : known.entrySet()) {
      String inner = Place.path(path, entry.getKey());
      if (entry.getValue() instanceof ConfigObject knownSection
          && settings.get(entry.getKey()) instanceof ConfigObject section
          && !knownSection.isEmpty()
          && !OPEN.contains(inner)) {
        refuse(section, knownSection, inner);
      }
    }
  }

  private static void refuseInTable(ConfigObject parent, String table, String parentPath) {
    String path = Place.path(Place.path(parentPath, table), COLUMNS);
    if (parent.get(table) instanceof ConfigObject settings
        && settings.get(COLUMNS) instanceof ConfigObject columns) {
      for (String column : sorted(columns.keySet())) {
        if (columns.get(column) instanceof ConfigObject declaration) {
          refuseKeys(declaration, COLUMN_SETTINGS, Place.path(path, column));
        }
      }
    }
  }

  /** Sections of a table whose settings the reference names. */
  private static void refuseInSections(ConfigObject settings, ConfigObject known, String path) {
    known.forEach(
        (name, value) -> {
          if (value instanceof ConfigObject knownSection
              && !knownSection.isEmpty()
              && settings.get(name) instanceof ConfigObject section) {
            refuseKeys(section, knownSection.keySet(), Place.path(path, name));
          }
        });
  }

  /** {@code tables { shop.customers {} }} is, to HOCON, a table shop with a setting customers. */
  private static void refuseUnquoted(
      String table, ConfigObject settings, String path, Set<String> known) {
    if (table.contains(".") || settings.isEmpty()) {
      return;
    }
    String first = sorted(settings.keySet()).get(0);
    if (!known.contains(first)) {
      throw Place.error(
          settings,
          "%s is no table name: it lacks the namespace. Write the whole name in quotes, as in"
                  .formatted(path)
              + " \"%s.%s\" { ... }.".formatted(table, first));
    }
  }

  private static void refuseKeys(ConfigObject settings, Set<String> known, String path) {
    for (String key : sorted(settings.keySet())) {
      if (!known.contains(key)) {
        throw unknown(key, known, path, settings);
      }
    }
  }

  private static RowmarkException unknown(
      String key, Set<String> known, String path, ConfigObject settings) {
    ConfigValue value = settings.getOrDefault(key, settings);
    String hint =
        NearestName.of(key, known)
            .map(nearest -> "Did you mean %s?".formatted(Place.path(path, nearest)))
            .orElseGet(() -> "Known here: %s.".formatted(String.join(", ", sorted(known))));
    return Place.error(value, "there is no setting %s. %s".formatted(Place.path(path, key), hint));
  }

  private static List<String> sorted(Collection<String> keys) {
    return keys.stream().sorted(Comparator.naturalOrder()).toList();
  }
}
