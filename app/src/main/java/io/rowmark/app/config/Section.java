package io.rowmark.app.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.rowmark.formats.failure.RowmarkException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One object of the configuration, read by key. Every failure names file, line and setting. Keys
 * are single names, never paths.
 *
 * @param file the configuration file, named where something is missing
 * @param path of this section, for messages; empty for the root
 */
record Section(String file, String path, ConfigObject values) {

  Section section(String key) {
    ConfigValue value = required(key, "Write %s { ... }.");
    if (value instanceof ConfigObject object) {
      return new Section(file, Place.path(path, key), object);
    }
    throw wrongType(key, value, "an object in braces");
  }

  /** The inner objects by name, in the order of their names. */
  Map<String, ConfigValue> entries() {
    return new TreeMap<>(values);
  }

  /** A text that must be there and not blank. */
  String text(String key) {
    String text = scalar(key, required(key, "Write %s = ..."));
    if (text.isBlank()) {
      throw error(key, "must not be empty.");
    }
    return text;
  }

  /** A text that may be empty. */
  String optionalText(String key) {
    ConfigValue value = value(key);
    return value == null ? "" : scalar(key, value);
  }

  @Nullable String textOrNull(String key) {
    ConfigValue value = value(key);
    return value == null ? null : scalar(key, value);
  }

  /** A whole number, at least {@code least}. */
  long number(String key, long least) {
    ConfigValue value = required(key, "Write %s = <number>.");
    try {
      long number = Long.parseLong(scalar(key, value));
      if (number < least) {
        throw error(key, "is %d, but must be at least %d.".formatted(number, least));
      }
      return number;
    } catch (NumberFormatException e) {
      throw wrongType(key, value, "a whole number");
    }
  }

  /** As {@link #number}, within the range of an int. */
  int smallNumber(String key, int least) {
    long number = number(key, least);
    if (number > Integer.MAX_VALUE) {
      throw error(key, "is %d, but must be at most %d.".formatted(number, Integer.MAX_VALUE));
    }
    return (int) number;
  }

  /** A count of bytes, at least 1, written with or without a unit. */
  long bytes(String key) {
    ConfigValue value = required(key, "Write %s = <number> GiB.");
    scalar(key, value);
    try {
      long bytes = value.atKey(key).getBytes('"' + key + '"');
      if (bytes < 1) {
        throw error(key, "must be at least 1 byte.");
      }
      return bytes;
    } catch (ConfigException e) {
      throw wrongType(key, value, "a size such as 64 GiB");
    }
  }

  /** A length of time, written with a unit; not negative. */
  Duration duration(String key) {
    ConfigValue value = required(key, "Write %s = 30 seconds.");
    scalar(key, value);
    try {
      Duration duration = value.atKey(key).getDuration('"' + key + '"');
      if (duration.isNegative()) {
        throw error(key, "must not be negative.");
      }
      return duration;
    } catch (ConfigException e) {
      throw wrongType(key, value, "a length of time such as 30 seconds");
    }
  }

  boolean flag(String key) {
    ConfigValue value = required(key, "Write %s = true or false.");
    return switch (scalar(key, value)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrongType(key, value, "true or false");
    };
  }

  /** A list of texts, each not blank. */
  List<String> texts(String key) {
    ConfigValue value = required(key, "Write %s = [].");
    if (!(value instanceof ConfigList list)) {
      throw wrongType(key, value, "a list in brackets, as in [a, b]");
    }
    List<String> texts = new ArrayList<>();
    for (ConfigValue element : list) {
      String text = scalar(key, element);
      if (text.isBlank()) {
        throw error(key, "holds an empty text. Remove it.");
      }
      texts.add(text);
    }
    return texts;
  }

  /** One of an enum's constants, written in lower case with hyphens. */
  <E extends Enum<E>> E choice(String key, Class<E> type) {
    ConfigValue value = required(key, "Write %s = ...");
    String text = scalar(key, value);
    List<String> names = Arrays.stream(type.getEnumConstants()).map(Section::written).toList();
    int index = names.indexOf(text);
    if (index < 0) {
      throw error(key, "is '%s', but must be one of %s.".formatted(text, String.join(", ", names)));
    }
    return type.getEnumConstants()[index];
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Free properties; nested objects give names with dots, as in {@code s3.endpoint}. */
  Map<String, String> properties(String key) {
    Map<String, String> flat = new LinkedHashMap<>();
    section(key).flatten("", flat);
    return flat;
  }

  private void flatten(String prefix, Map<String, String> flat) {
    entries()
        .forEach(
            (name, value) -> {
              if (value instanceof ConfigObject object) {
                new Section(file, Place.path(path, name), object)
                    .flatten(prefix + name + ".", flat);
              } else if (value.valueType() != ConfigValueType.NULL) {
                flat.put(prefix + name, scalar(name, value));
              }
            });
  }

  /** An error at a setting of this section; the message goes on after the setting's path. */
  RowmarkException error(String key, String message) {
    ConfigValue value = values.get(key);
    String place = value == null ? file : Place.of(value);
    return RowmarkException.config("%s: %s %s".formatted(place, Place.path(path, key), message));
  }

  private ConfigValue required(String key, String howTo) {
    ConfigValue value = value(key);
    if (value == null) {
      String setting = Place.path(path, key);
      throw RowmarkException.config(
          "%s: the required setting %s is missing. %s"
              .formatted(file, setting, howTo.formatted(setting)));
    }
    return value;
  }

  private @Nullable ConfigValue value(String key) {
    ConfigValue value = values.get(key);
    return value == null || value.valueType() == ConfigValueType.NULL ? null : value;
  }

  private String scalar(String key, ConfigValue value) {
    return switch (value.valueType()) {
      // The text as it was written: 1.10 must not become 1.1.
      case STRING, NUMBER, BOOLEAN -> value.atKey("it").getString("it");
      case LIST, OBJECT, NULL -> throw wrongType(key, value, "a single value");
    };
  }

  private RowmarkException wrongType(String key, ConfigValue value, String expected) {
    String found =
        switch (value.valueType()) {
          case LIST -> "a list";
          case OBJECT -> "an object";
          case NULL -> "null";
          case STRING, NUMBER, BOOLEAN ->
              "'%s'".formatted(SecretMask.show(key, value.atKey("it").getString("it")));
        };
    return RowmarkException.config(
        "%s: %s must be %s, but is %s."
            .formatted(Place.of(value), Place.path(path, key), expected, found));
  }
}
