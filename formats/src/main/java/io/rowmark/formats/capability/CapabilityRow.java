package io.rowmark.formats.capability;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.rowmark.formats.failure.NearestName;
import io.rowmark.formats.failure.RowmarkException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One object of the capability data, read strictly. Every failure names file and line.
 *
 * @param what the object is, for messages, such as {@code "the reader trino"}
 */
record CapabilityRow(String what, ConfigObject values) {

  /** The objects of a list; none where the key is absent. */
  static List<CapabilityRow> list(ConfigObject root, String key) {
    ConfigValue value = root.get(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof ConfigList list)) {
      throw error(
          value, "%s must be a list of objects, as in %s = [ { ... } ].".formatted(key, key));
    }
    List<CapabilityRow> rows = new ArrayList<>();
    for (ConfigValue element : list) {
      if (!(element instanceof ConfigObject object)) {
        throw error(element, "each of %s must be an object in braces.".formatted(key));
      }
      rows.add(new CapabilityRow("an entry of " + key, object));
    }
    return rows;
  }

  CapabilityRow named(String name) {
    return new CapabilityRow(name, values);
  }

  /** Refuses any other key. */
  void allowOnly(Set<String> known) {
    for (String key : new TreeSet<>(values.keySet())) {
      if (!known.contains(key)) {
        throw error(
            values.getOrDefault(key, values),
            "%s has no key %s. %s".formatted(what, key, suggestion(key, known)));
      }
    }
  }

  @Nullable String textOrNull(String key) {
    ConfigValue value = values.get(key);
    if (value == null || value.valueType() == ConfigValueType.NULL) {
      return null;
    }
    return scalar(key, value);
  }

  String text(String key, String otherwise) {
    String text = textOrNull(key);
    return text == null ? otherwise : text;
  }

  /**
   * @param why it must be there; a sentence
   */
  String required(String key, String why) {
    String text = textOrNull(key);
    if (text == null || text.isBlank()) {
      throw error(values, "%s lacks %s. %s".formatted(what, key, why));
    }
    return text;
  }

  List<String> texts(String key) {
    ConfigValue value = values.get(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof ConfigList list)) {
      throw error(value, "%s must be a list, as in %s = [a, b].".formatted(key, key));
    }
    return list.stream().map(element -> scalar(key, element)).toList();
  }

  @Nullable LocalDate dateOrNull(String key) {
    String text = textOrNull(key);
    if (text == null) {
      return null;
    }
    try {
      return LocalDate.parse(text);
    } catch (DateTimeException e) {
      throw at(key, "is '%s', but must be a date such as 2026-11-30.".formatted(text));
    }
  }

  @Nullable EngineVersion versionOrNull(String key) {
    String text = textOrNull(key);
    if (text == null) {
      return null;
    }
    return EngineVersion.parse(text)
        .orElseThrow(
            () -> at(key, "is '%s', but must be numbers with dots, as in 1.10.".formatted(text)));
  }

  /** One of an enum's constants, written in lower case with hyphens. */
  <E extends Enum<E>> E choice(String key, Class<E> type, E otherwise) {
    String text = textOrNull(key);
    return text == null ? otherwise : choice(key, text, type);
  }

  <E extends Enum<E>> E choice(String key, String text, Class<E> type) {
    List<String> names =
        Arrays.stream(type.getEnumConstants()).map(CapabilityRow::written).toList();
    int index = names.indexOf(text);
    if (index < 0) {
      throw at(key, "is '%s', but must be one of %s.".formatted(text, String.join(", ", names)));
    }
    return type.getEnumConstants()[index];
  }

  RowmarkException at(String key, String message) {
    return error(values.getOrDefault(key, values), "%s of %s %s".formatted(key, what, message));
  }

  /** File and line of the object, or of its first key where it was put together from several. */
  String origin() {
    return origin(values);
  }

  static String origin(ConfigValue value) {
    ConfigOrigin origin = value.origin();
    String file = origin.resource() == null ? origin.filename() : origin.resource();
    if (file == null) {
      return origin.description();
    }
    return origin.lineNumber() > 0 ? file + ":" + origin.lineNumber() : file;
  }

  static RowmarkException error(ConfigValue value, String message) {
    return RowmarkException.config("%s: %s".formatted(origin(value), message));
  }

  static String suggestion(String misspelt, Collection<String> known) {
    return NearestName.of(misspelt, known)
        .map("Did you mean %s?"::formatted)
        .orElseGet(() -> "Known: %s.".formatted(String.join(", ", new TreeSet<>(known))));
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String scalar(String key, ConfigValue value) {
    return switch (value.valueType()) {
      // The text as it was written: 1.10 must not become 1.1.
      case STRING, NUMBER, BOOLEAN -> value.atKey("it").getString("it");
      case LIST, OBJECT, NULL -> throw error(value, key + " must be a single value.");
    };
  }
}
