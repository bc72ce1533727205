package io.rowmark.app.cli;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.TableSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine.Option;

/** The option that names one key. */
final class KeyOption {
  @Option(
      names = "--key",
      required = true,
      paramLabel = "COLUMN=VALUE",
      description =
          "A key column and its value as Spark SQL casts it, hexadecimal for binary columns; once for"
              + " each key column.")
  private Map<String, String> key = new LinkedHashMap<>();

  /**
   * Values in key order.
   *
   * @throws RowmarkException CONFIG when the columns are not those of the table's key
   */
  List<String> values(TableSpec named) {
    if (!key.keySet().equals(Set.copyOf(named.key()))) {
      throw RowmarkException.config(
          "--key names the columns %s, but the key of table %s is %s. Give one --key COLUMN=VALUE for each."
              .formatted(key.keySet(), named.table(), named.key()));
    }
    return named.key().stream().map(column -> Objects.requireNonNull(key.get(column))).toList();
  }
}
