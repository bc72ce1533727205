package io.rowmark.formats.change;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.rowmark.formats.failure.RowmarkException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The shipped envelopes, each a resource beside this package, and those that build on them. */
public final class EnvelopeLayouts {
  private static final String FOLDER = "io/rowmark/formats/envelope/";
  private static final String BASE = "base";

  /** Names of the shipped envelopes. */
  public static final List<String> NAMES =
      List.of(
          "airbyte",
          "canal",
          "datastream",
          "debezium",
          "debezium-flat",
          "delta-changes",
          "dms",
          "dms-transactions",
          "estuary",
          "fivetran",
          "flat",
          "goldengate",
          "iceberg-changelog",
          "maxwell",
          "olake");

  private static final Map<String, EnvelopeLayout> SHIPPED = new ConcurrentHashMap<>();

  private EnvelopeLayouts() {}

  /**
   * A shipped envelope.
   *
   * @throws RowmarkException CONFIG when there is none of the name
   */
  public static EnvelopeLayout named(String name) {
    return SHIPPED.computeIfAbsent(name, known -> LayoutReader.read(known, settings(known)));
  }

  /**
   * An envelope that a configuration describes: a shipped one, named by {@code like} ({@code flat}
   * where it says nothing), with changes.
   *
   * @throws RowmarkException CONFIG, naming place and setting
   */
  public static EnvelopeLayout described(ConfigObject description) {
    Config own = description.toConfig();
    String like = own.hasPath("like") ? own.getString("like") : "flat";
    LayoutReader.refuseUnknown(own, resource(BASE));
    Config changes = ConfigFactory.empty();
    // one by one, since a block that replaced a name in the configuration takes no more fallbacks
    for (Map.Entry<String, ConfigValue> entry : description.entrySet()) {
      changes = changes.withValue(ConfigUtil.quoteString(entry.getKey()), entry.getValue());
    }
    return LayoutReader.read(
        "of the configuration, like " + like,
        changes.withoutPath("like").withFallback(settings(like)));
  }

  private static Config settings(String name) {
    if (!NAMES.contains(name)) {
      throw RowmarkException.config(
          "There is no envelope '%s'. Shipped are %s; or describe one in braces."
              .formatted(name, String.join(", ", NAMES)));
    }
    return resource(name).withFallback(resource(BASE));
  }

  private static Config resource(String name) {
    return ConfigFactory.parseResources(
        EnvelopeLayouts.class.getClassLoader(),
        FOLDER + name + ".conf",
        ConfigParseOptions.defaults().setAllowMissing(false));
  }
}
