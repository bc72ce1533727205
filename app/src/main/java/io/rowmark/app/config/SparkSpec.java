package io.rowmark.app.config;

import java.util.Map;

/**
 * The Spark session.
 *
 * @param conf Spark settings by their full names; may hold secrets
 */
public record SparkSpec(Map<String, String> conf) {
  public SparkSpec {
    conf = Map.copyOf(conf);
  }

  /** Names the settings without their values. */
  @Override
  public String toString() {
    return "SparkSpec" + conf.keySet();
  }
}
