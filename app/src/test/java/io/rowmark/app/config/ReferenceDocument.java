package io.rowmark.app.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The reference configuration as a document: every section and setting in the order of the file.
 */
record ReferenceDocument(List<Entry> entries) {

  /**
   * @param path full path, in quotes where needed
   * @param comment the lines before it
   */
  record Entry(String path, String comment, ConfigValue value) {
    boolean isSection() {
      return value instanceof ConfigObject object && !object.isEmpty();
    }

    private String markdown() {
      if (isSection()) {
        return "\n## `%s`\n\n%s\n\n".formatted(path, comment);
      }
      return path.contains(".")
          ? "- **`%s`** %s\n  %s\n".formatted(path, defaultText(), comment)
          : "\n## `%s`\n\n%s %s\n".formatted(path, comment, defaultText());
    }

    private String defaultText() {
      return value.valueType() == ConfigValueType.NULL
          ? "(no default)"
          : "(default `%s`)".formatted(value.render(ConfigRenderOptions.concise()));
    }
  }

  static ReferenceDocument read() {
    List<Entry> entries = new ArrayList<>();
    collect("", EffectiveConfig.reference(), entries);
    return new ReferenceDocument(entries);
  }

  private static void collect(String path, ConfigObject section, List<Entry> entries) {
    section.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getValue().origin().lineNumber()))
        .forEach(
            (Map.Entry<String, ConfigValue> entry) -> {
              String inner = Place.path(path, entry.getKey());
              ConfigValue value = entry.getValue();
              entries.add(new Entry(inner, comment(value), value));
              if (value instanceof ConfigObject object) {
                collect(inner, object, entries);
              }
            });
  }

  private static String comment(ConfigValue value) {
    return value.origin().comments().stream().map(String::strip).collect(Collectors.joining(" "));
  }

  /** The entries that a user sets: all but the sections. */
  List<Entry> settings() {
    return entries.stream().filter(entry -> !entry.isSection()).toList();
  }

  String markdown() {
    String head =
        """
        # Configuration
        <!-- Made from app/src/main/resources/rowmark-reference.conf; edit that file, then run
             mvn -pl app -am test -Dtest=TestConfigurationDocument -Drowmark.docs=write -Dsurefire.failIfNoSpecifiedTests=false -->

        A configuration is one [HOCON](https://github.com/lightbend/config/blob/main/HOCON.md) file that
        names only what differs from the defaults below; [conf/](../conf) holds samples. Unknown settings
        are refused with file and line. `--set path=value` overrides a setting for one run, and
        `rowmark config show` prints what holds, secrets hidden.
        """;
    return head + entries.stream().map(Entry::markdown).collect(Collectors.joining());
  }
}
