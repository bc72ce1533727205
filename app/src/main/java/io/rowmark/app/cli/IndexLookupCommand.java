package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.KeyPlaces;
import io.rowmark.app.report.LookupPrinter;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.TableSpec;
import java.io.PrintWriter;
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
  @Mixin private KeyOption key = new KeyOption();

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
    KeyPlaces found = engine.lookUp(config, named, key.values(named));
    out.println(json ? LookupPrinter.json(found) : LookupPrinter.text(found));
    out.flush();
    if (found.entries().size() > 1) {
      throw RowmarkException.tableState(
          "Index %s has %d entries for one key. Run 'rowmark index verify --table %s' to see what else is wrong, and 'rowmark index repair' to mend it."
              .formatted(found.index(), found.entries().size(), found.table()));
    }
    return ExitCodes.SUCCESS;
  }
}
