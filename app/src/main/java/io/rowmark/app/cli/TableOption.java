package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.TableSpec;
import picocli.CommandLine.Option;

/** The option that names one table of a configuration that has an index. */
final class TableOption {
  @Option(
      names = "--table",
      required = true,
      paramLabel = "NAME",
      description = "Table of the configuration, as in shop.customers.")
  private String table = "";

  /**
   * @throws RowmarkException CONFIG when the configuration has no such table, or it has no index
   */
  TableSpec checked(AppConfig config) {
    return indexed(keyed(config));
  }

  /**
   * A table whose rows have a key, whether or not it has an index.
   *
   * @throws RowmarkException CONFIG when the configuration has no such table, or it has no key
   */
  TableSpec keyed(AppConfig config) {
    TableSpec spec =
        config.pipeline().tables().stream()
            .filter(candidate -> candidate.table().equals(table))
            .findFirst()
            .orElseThrow(
                () ->
                    RowmarkException.config(
                        "--table %s is not in the configuration, which has %s. Correct the name."
                            .formatted(
                                table,
                                String.join(
                                    ", ",
                                    config.pipeline().tables().stream()
                                        .map(TableSpec::table)
                                        .toList()))));
    return switch (spec.mode()) {
      case KEYED, HISTORY -> spec;
      case APPEND_ONLY ->
          throw RowmarkException.config(
              "Table %s is append-only: it has no key and so no index. Name a keyed table."
                  .formatted(table));
    };
  }

  private static TableSpec indexed(TableSpec spec) {
    if (spec.readers().wishes().deletes() == WantedDeletes.EQUALITY) {
      throw RowmarkException.config(
          "Table %s has no index: equality deletes (delete-format = equality) need none. Name a table with another delete-format."
              .formatted(spec.table()));
    }
    return spec;
  }
}
