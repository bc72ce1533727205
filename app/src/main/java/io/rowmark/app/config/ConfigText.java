package io.rowmark.app.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.util.Map;
import java.util.Set;

/** Shows a configuration as HOCON, with secrets hidden. */
public final class ConfigText {
  /** Whether each setting is shown with the place it came from. */
  public enum Origins {
    SHOWN,
    HIDDEN
  }

  private static final Set<String> OPEN_SECTIONS = Set.of("properties", "conf");

  private ConfigText() {}

  /** All settings that hold, defaults included, in the order of their names. */
  public static String render(EffectiveConfig config, Origins origins) {
    ConfigRenderOptions options =
        ConfigRenderOptions.defaults()
            .setJson(false)
            .setComments(false)
            .setOriginComments(origins == Origins.SHOWN);
    return masked("", config.root()).render(options);
  }

  /**
   * @param name within the user's own properties, for it is there that secrets lie; empty elsewhere
   */
  private static ConfigValue masked(String name, ConfigValue value) {
    if (value instanceof ConfigObject object) {
      ConfigObject result = object;
      for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
        ConfigValue inner = masked(inner(name, entry.getKey()), entry.getValue());
        result = result.withValue(entry.getKey(), inner);
      }
      return result;
    }
    if (value instanceof ConfigList || value.valueType() == ConfigValueType.NULL) {
      return value;
    }
    String text = value.atKey("it").getString("it");
    String shown = SecretMask.show(name, text);
    return shown.equals(text)
        ? value
        : ConfigValueFactory.fromAnyRef(shown).withOrigin(value.origin());
  }

  private static String inner(String name, String key) {
    if (name.isEmpty()) {
      return OPEN_SECTIONS.contains(key) ? key : "";
    }
    return name + "." + key;
  }
}
