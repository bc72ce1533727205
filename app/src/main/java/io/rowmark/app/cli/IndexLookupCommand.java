package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.KeyPlaces;
import io.rowmark.app.report.LookupPrinter;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.TableSpec;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says where the row of a key is; changes nothing. */
@Command(
    name = "lookup",
    description = "Says where the row of a key is, by the index; changes nothing.")
final class IndexLookupCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private TableOption table = new TableOption();

  @Option(
      names = "--key",
      required = true,
      paramLabel = "COLUMN=VALUE",
      description =
          "A key column and its value as Spark SQL casts it, hexadecimal for binary columns; once for"
              + " each key column.")
  private Map<String, String> key = new LinkedHashMap<>();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  IndexLookupCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(spec);
    AppConfig config = options.read(engine);
    TableSpec named = table.checked(config);
    KeyPlaces found = engine.lookUp(config, named, values(named));
    out.println(json ? LookupPrinter.json(found) : LookupPrinter.text(found));
    out.flush();
    if (found.entries().size() > 1) {
      throw RowmarkException.tableState(
          "Index %s has %d entries for one key. Run 'rowmark index verify --table %s' to see what else is wrong, and 'rowmark index build' to mend it."
              .formatted(found.index(), found.entries().size(), found.table()));
    }
    return ExitCodes.SUCCESS;
  }

  /** Values in key order. */
  private List<String> values(TableSpec named) {
    if (!key.keySet().equals(Set.copyOf(named.key()))) {
      throw RowmarkException.config(
          "--key names the columns %s, but the key of table %s is %s. Give one --key COLUMN=VALUE for each."
              .formatted(key.keySet(), named.table(), named.key()));
    }
    return named.key().stream().map(column -> Objects.requireNonNull(key.get(column))).toList();
  }
}
