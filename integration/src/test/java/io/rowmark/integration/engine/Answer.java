package io.rowmark.integration.engine;

import java.util.List;
import java.util.Map;

/** What an engine made of one table. */
public sealed interface Answer {
  /** Of the engine that was really run. */
  String version();

  /** The rows, each from column to typed value; fails where the engine gave none. */
  List<Map<String, Object>> rows();

  /**
   * The engine returned rows, right or wrong.
   *
   * @param rows each from column to value, typed like Iceberg's own reader
   */
  record Rows(String version, List<Map<String, Object>> rows) implements Answer {}

  /** The engine refused. */
  record Failed(String version, String message) implements Answer {
    @Override
    public List<Map<String, Object>> rows() {
      throw new AssertionError(message);
    }
  }
}
