package io.rowmark.app.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOriginFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A configuration file with its overrides and the defaults, merged and resolved; every value knows
 * where it came from.
 *
 * @param file the file, for messages
 * @param root all settings
 */
public record EffectiveConfig(String file, ConfigObject root) {
  private static final String REFERENCE = "rowmark-reference.conf";

  /**
   * Reads a file.
   *
   * @param overrides settings as {@code path=value}; they win over the file
   * @throws RowmarkException CONFIG when the file is missing or not HOCON, a substitution has no
   *     value, or a setting is unknown
   */
  public static EffectiveConfig load(Path file, List<String> overrides) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw RowmarkException.config(
          "Configuration file %s does not exist or cannot be read. Check --config; paths are taken"
                  .formatted(file)
              + " from the working directory %s.".formatted(Path.of("").toAbsolutePath()));
    }
    ConfigObject reference = reference();
    try {
      Config user =
          commandLine(overrides)
              .withFallback(
                  ConfigFactory.parseFile(
                      file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false)));
      ConfigObject root = user.withFallback(reference).resolve().root();
      // After the resolution, when substitutions show what they stand for.
      UnknownSettings.refuse(root, reference);
      return new EffectiveConfig(file.toString(), root);
    } catch (ConfigException.UnresolvedSubstitution e) {
      throw RowmarkException.config(
          "%s. Set the environment variable, or write ${?NAME} if the setting may be left out."
              .formatted(e.getMessage()));
    } catch (ConfigException e) {
      throw RowmarkException.config(syntaxMessage(file, e));
    }
  }

  /** The defaults, with the comments of the file that holds them. */
  static ConfigObject reference() {
    try (InputStream stream = EffectiveConfig.class.getResourceAsStream("/" + REFERENCE)) {
      if (stream == null) {
        throw RowmarkException.internal(
            "%s is missing from the jar. Build it again.".formatted(REFERENCE), null);
      }
      Reader text = new InputStreamReader(stream, StandardCharsets.UTF_8);
      return ConfigFactory.parseReader(
              text, ConfigParseOptions.defaults().setOriginDescription("default"))
          .root();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Config commandLine(List<String> overrides) {
    Config all = ConfigFactory.empty();
    for (String override : overrides) {
      int equals = override.indexOf('=');
      if (equals < 1) {
        throw RowmarkException.config(
            "--set %s has no value. Write --set path=value, as in --set commit.attempts=5."
                .formatted(SecretMask.isSecret(override) ? SecretMask.MASK : override));
      }
      String path = override.substring(0, equals).strip();
      try {
        ConfigUtil.splitPath(path);
        all = overrideValue(override.substring(equals + 1).strip()).atPath(path).withFallback(all);
      } catch (ConfigException e) {
        throw RowmarkException.config(
            "--set %s=... is not a setting. Write a path of names with dots, in quotes where a name"
                    .formatted(path)
                + " holds dots itself, and lists and objects as HOCON:"
                + " --set 'tables.\"shop.customers\".key=[id]'.");
      }
    }
    return all;
  }

  /** Lists, objects and quoted text are HOCON; anything else is taken as it is. */
  private static ConfigValue overrideValue(String text) {
    if (text.startsWith("[") || text.startsWith("{") || text.startsWith("\"")) {
      ConfigParseOptions options =
          ConfigParseOptions.defaults().setOriginDescription(Place.COMMAND_LINE);
      return ConfigFactory.parseString("value = " + text, options).getValue("value");
    }
    return ConfigValueFactory.fromAnyRef(text)
        .withOrigin(ConfigOriginFactory.newSimple(Place.COMMAND_LINE));
  }

  /** The parser's message may quote the line, so it is held back where the line holds a secret. */
  private static String syntaxMessage(Path file, ConfigException error) {
    int line = error.origin() == null ? -1 : error.origin().lineNumber();
    if (line > 0 && lineHoldsSecret(file, line)) {
      return "%s:%d: this line is not valid HOCON; it is not shown because it holds a secret. Put"
              .formatted(file, line)
          + " the value in double quotes.";
    }
    return "The configuration is not valid HOCON: %s".formatted(error.getMessage());
  }

  private static boolean lineHoldsSecret(Path file, int line) {
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      int from = Math.max(0, line - 2);
      int to = Math.min(lines.size(), line);
      return from < to && lines.subList(from, to).stream().anyMatch(SecretMask::isSecret);
    } catch (IOException e) {
      return true;
    }
  }
}
