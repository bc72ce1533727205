package io.rowmark.integration.crash;

import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.integration.Declared;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CatalogSpec;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.RejectSpec;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import io.rowmark.merge.spec.TableSpec.Mode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A pipeline of two tables, one with a key and one without, as arguments that another process can
 * be started with.
 *
 * @param landing folder of the input files
 * @param catalogName name of the catalog in the Spark session
 * @param catalog properties of the catalog
 * @param first the table that is committed first
 */
record Scene(
    Path landing,
    String catalogName,
    Map<String, String> catalog,
    CommitSpec.Mode commit,
    int formatVersion,
    Mode first) {
  static final String ACCOUNTS = "shop.accounts";
  static final String ACCOUNTS_INDEX = "shop.accounts__rowmark_index";
  static final String HISTORY = "shop.history";
  static final String LEDGER = "shop.ledger";

  private static final ColumnDeclaration LONG = new ColumnDeclaration(Plain.LONG, null);

  Scene {
    catalog = Map.copyOf(catalog);
  }

  /** The same with the catalog under another name in the Spark session. */
  Scene named(String name) {
    return new Scene(landing, name, catalog, commit, formatVersion, first);
  }

  PipelineSpec pipeline() {
    TableSpec accounts = table("accounts", ACCOUNTS, Mode.KEYED);
    TableSpec history = table("history", HISTORY, Mode.APPEND_ONLY);
    return new PipelineSpec(
        "crash",
        new CatalogSpec(catalogName, catalog),
        new SourceSpec("debezium-json", landing.toString(), "__unavailable"),
        first == Mode.KEYED ? List.of(accounts, history) : List.of(history, accounts),
        LEDGER,
        new IndexSpec("__rowmark_index", IndexSpec.Order.KEPT, IndexSpec.DEFAULT_MERGE_RUNS),
        new BatchSpec(100, 1L << 30, BatchSpec.DEFAULT_DRIVER_EVENTS),
        new CommitSpec(commit, 3),
        new RejectSpec("", 0, RejectSpec.Content.REASON_ONLY),
        Declared.capabilities());
  }

  private TableSpec table(String topic, String name, Mode mode) {
    return new TableSpec(
        topic,
        name,
        mode,
        mode == Mode.KEYED ? List.of("id") : List.of(),
        Map.of("id", LONG, "amount", LONG),
        List.of(),
        Map.of(),
        TableSpec.SchemaPolicy.EVOLVE,
        TableSpec.TruncatePolicy.APPLY,
        TableFeed.WHOLE_TOPIC,
        Declared.positional(formatVersion));
  }

  List<String> toArguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add(landing.toString());
    arguments.add(catalogName);
    arguments.add(commit.name());
    arguments.add(Integer.toString(formatVersion));
    arguments.add(first.name());
    catalog.forEach((key, value) -> arguments.addAll(List.of(key, value)));
    return arguments;
  }

  static Scene ofArguments(List<String> arguments) {
    Map<String, String> catalog = new HashMap<>();
    for (int i = 5; i < arguments.size(); i += 2) {
      catalog.put(arguments.get(i), arguments.get(i + 1));
    }
    return new Scene(
        Path.of(arguments.get(0)),
        arguments.get(1),
        catalog,
        CommitSpec.Mode.valueOf(arguments.get(2)),
        Integer.parseInt(arguments.get(3)),
        Mode.valueOf(arguments.get(4)));
  }
}
