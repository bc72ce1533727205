package io.rowmark.merge.replay;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.plan.TableOpener;
import io.rowmark.merge.plan.TablePlan;
import io.rowmark.merge.replay.ReplayPlan.Found;
import io.rowmark.merge.replay.ReplayPlan.Input;
import io.rowmark.merge.replay.ReplayPlan.Kept;
import io.rowmark.merge.replay.ReplayPlan.Refusal;
import io.rowmark.merge.replay.ReplayPlan.SetBack;
import io.rowmark.merge.replay.ReplayPlan.Step;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.LandingFolder;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.SourcePlace;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/** Says what a replay would do, from ledger, tables and landing folder. Changes nothing. */
public final class ReplayPlanner {
  private final PipelineSpec pipeline;
  private final Catalog catalog;
  private final Configuration hadoop;
  private final TableOpener opener;
  private final List<Refusal> refusals = new ArrayList<>();

  private ReplayPlanner(PipelineSpec pipeline, Catalog catalog, Configuration hadoop) {
    this.pipeline = pipeline;
    this.catalog = catalog;
    this.hadoop = hadoop;
    this.opener = new TableOpener(catalog, pipeline, TableOpener.Upkeep.NONE);
  }

  /**
   * @param hadoop for the landing folder
   * @throws RowmarkException CONFIG when the request names what is not there, or the changes are
   *     not in files
   */
  public static ReplayPlan plan(
      PipelineSpec pipeline, Catalog catalog, Configuration hadoop, ReplayRequest request) {
    return new ReplayPlanner(pipeline, catalog, hadoop).plan(request);
  }

  private ReplayPlan plan(ReplayRequest request) {
    if (!(pipeline.source().place() instanceof SourcePlace.Folder place)) {
      throw RowmarkException.config(
          "Only landed files can be replayed, and source.kind is not files. Feed an empty table under"
              + " another name of pipeline and ledger.");
    }
    TableIdentifier name = TableIdentifier.parse(pipeline.ledgerTable());
    if (!catalog.tableExists(name)) {
      throw RowmarkException.config(
          "There is no ledger %s yet, so nothing can be replayed. Check ledger.table."
              .formatted(name));
    }
    Map<String, TableSpec> specs = new LinkedHashMap<>();
    pipeline.tables().forEach(spec -> specs.put(spec.table(), spec));
    checkTable(request, specs);
    // tables that are not configured any more are left alone
    List<LedgerEntry> history =
        Ledger.open(catalog, name).history().stream()
            .filter(entry -> specs.containsKey(entry.table()))
            .toList();
    Map<String, List<LedgerEntry>> range = LedgerRange.of(history, request);
    Map<String, TableMemory> memories = new HashMap<>();
    List<SetBack> setBacks = new ArrayList<>();
    for (TableSpec spec : specs.values()) {
      if (inRange(range, spec).isEmpty()) {
        continue;
      }
      List<LedgerEntry> all = ofTable(history, spec);
      TablePlan plan = opener.plan(spec);
      TableMemory memory = new TableMemory(plan.table(), all);
      memories.put(spec.table(), memory);
      if (spec.mode() == TableSpec.Mode.APPEND_ONLY) {
        range.values().forEach(batch -> batch.removeIf(entry -> isBack(entry, spec, memory)));
      }
      List<LedgerEntry> chosen = inRange(range, spec);
      if (!chosen.isEmpty()) {
        refusals.addAll(new ReplayRules(pipeline, plan, memory).refusals(chosen, all));
        setBack(plan, memory, chosen).ifPresent(setBacks::add);
      }
    }
    return new ReplayPlan(steps(place, history, range, memories), setBacks, refusals);
  }

  private static List<LedgerEntry> ofTable(List<LedgerEntry> entries, TableSpec spec) {
    return entries.stream().filter(entry -> entry.table().equals(spec.table())).toList();
  }

  private static List<LedgerEntry> inRange(Map<String, List<LedgerEntry>> range, TableSpec spec) {
    return ofTable(range.values().stream().flatMap(List::stream).toList(), spec);
  }

  /** A replay that was cut off is gone on with. */
  private static boolean isBack(LedgerEntry entry, TableSpec spec, TableMemory memory) {
    return entry.table().equals(spec.table()) && memory.isBack(entry.input());
  }

  private static void checkTable(ReplayRequest request, Map<String, TableSpec> specs) {
    String table = request.table();
    if (table != null && !specs.containsKey(table)) {
      throw RowmarkException.config(
          "--table %s is not in the configuration, which has %s. Correct the name."
              .formatted(table, String.join(", ", specs.keySet())));
    }
  }

  private void refuse(Category category, String text) {
    refusals.add(new Refusal(category, text));
  }

  /** The index still knows the orders of what the table lost, and would call it stale. */
  private Optional<SetBack> setBack(TablePlan plan, TableMemory memory, List<LedgerEntry> chosen) {
    IndexedTable names = opener.names(plan.spec());
    Table data = plan.table();
    boolean lost = chosen.stream().anyMatch(entry -> memory.of(entry.input()) == Kept.LOST);
    if (!lost || data == null || plan.spec().mode() == TableSpec.Mode.APPEND_ONLY) {
      return Optional.empty();
    }
    Optional<Table> index = IndexTables.find(catalog, names.index());
    Optional<IndexCoverage> claim = index.flatMap(table -> IndexTables.state(table).lastClaim());
    if (claim.isEmpty() || !claim.get().tableUuid().equals(data.uuid())) {
      return Optional.empty();
    }
    Optional<Snapshot> last = memory.lastOfIndex(index.get());
    if (last.isEmpty()) {
      refuse(
          Category.TABLE_STATE,
          "Index %s has no snapshot left from before its table lost the batches, so it would take their changes for late ones. Drop the index table; it is built again, without the orders of changes."
              .formatted(names.index()));
      return Optional.empty();
    }
    Snapshot current = Objects.requireNonNull(index.get().currentSnapshot());
    return last.get().snapshotId() == current.snapshotId()
        ? Optional.empty()
        : Optional.of(new SetBack(names.index(), last.get().snapshotId()));
  }

  private List<Step> steps(
      SourcePlace.Folder place,
      List<LedgerEntry> history,
      Map<String, List<LedgerEntry>> range,
      Map<String, TableMemory> memories) {
    LandingFolder folder = LandingFolder.open(place, hadoop);
    Map<String, String> last = new HashMap<>();
    history.forEach(entry -> last.put(ReplayInputs.slot(entry), entry.batchId()));
    List<Step> steps = new ArrayList<>();
    range.forEach(
        (id, entries) -> {
          ReplayInputs inputs = new ReplayInputs(pipeline, last);
          for (LedgerEntry entry : entries) {
            TableMemory memory = Objects.requireNonNull(memories.get(entry.table()));
            Optional<InputFile> file = folder.find(entry.input());
            Found found = found(entry, file);
            Kept kept = memory.of(entry.input());
            inputs.add(
                entry,
                new Input(entry.table(), entry.input(), entry.inputSize(), found, kept),
                file);
          }
          steps.addAll(inputs.steps(id));
        });
    missing(steps);
    return steps;
  }

  private static Found found(LedgerEntry entry, Optional<InputFile> file) {
    if (file.isEmpty()) {
      return Found.MISSING;
    }
    return file.get().size() == entry.inputSize() ? Found.THERE : Found.OTHER_SIZE;
  }

  private void missing(List<Step> steps) {
    List<Input> gone =
        steps.stream()
            .flatMap(step -> step.inputs().stream())
            .filter(input -> input.found() != Found.THERE)
            .toList();
    if (!gone.isEmpty()) {
      refuse(
          Category.SOURCE,
          "%d inputs of the range are missing or have another size, as '%s'. Restore them, or choose another range."
              .formatted(gone.size(), gone.get(0).name()));
    }
  }
}
