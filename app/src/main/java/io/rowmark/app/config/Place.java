package io.rowmark.app.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.rowmark.formats.failure.RowmarkException;
import java.util.Map;

/** Names places of a configuration in messages: {@code file:line} and the full path of a key. */
final class Place {
  /** Origin of settings that the option {@code --set} gave. */
  static final String COMMAND_LINE = "command line";

  private Place() {}

  /** An object that was put together from several places is named by the first of its settings. */
  static String of(ConfigValue value) {
    if (value instanceof ConfigObject object && !isExact(value.origin())) {
      return object.entrySet().stream()
          .min(Map.Entry.comparingByKey())
          .map(first -> of(first.getValue()))
          .orElseGet(() -> of(value.origin()));
    }
    return of(value.origin());
  }

  private static boolean isExact(ConfigOrigin origin) {
    return origin.filename() != null || origin.description().startsWith(COMMAND_LINE);
  }

  private static String of(ConfigOrigin origin) {
    if (origin.description().startsWith(COMMAND_LINE)) {
      return COMMAND_LINE;
    }
    String file = origin.filename();
    if (file == null) {
      return origin.description();
    }
    return origin.lineNumber() > 0 ? file + ":" + origin.lineNumber() : file;
  }

  /** The path of a key within a section, with quotes where a name holds dots. */
  static String path(String section, String key) {
    String quoted = ConfigUtil.joinPath(key);
    return section.isEmpty() ? quoted : section + "." + quoted;
  }

  static RowmarkException error(ConfigValue value, String message) {
    return RowmarkException.config(of(value) + ": " + message);
  }
}
