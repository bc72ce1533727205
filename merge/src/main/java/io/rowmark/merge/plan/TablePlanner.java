package io.rowmark.merge.plan;

import io.rowmark.formats.capability.DeclaredReader;
import io.rowmark.formats.delete.DeleteDecision;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.delete.DeleteFormatChooser;
import io.rowmark.formats.delete.DeleteRequest;
import io.rowmark.formats.delete.Need;
import io.rowmark.formats.delete.TableState;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.convert.ConversionPlan;
import io.rowmark.merge.plan.PlanStep.Consent;
import io.rowmark.merge.spec.CapabilitySpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.jspecify.annotations.Nullable;

/** Decides how a table's deletes are written, and what that takes. Changes nothing. */
public final class TablePlanner {
  /** Append-only tables delete nothing, so the version that everyone reads is best. */
  private static final int VERSION_WITHOUT_DELETES = 2;

  private final CapabilitySpec capabilities;

  public TablePlanner(CapabilitySpec capabilities) {
    this.capabilities = capabilities;
  }

  /**
   * @param names of the table and of its index
   * @param table as loaded; null when it does not exist yet
   */
  public TablePlan plan(TableSpec spec, IndexedTable names, @Nullable Table table) {
    if (spec.mode() == TableSpec.Mode.APPEND_ONLY) {
      return appendOnly(spec, table);
    }
    if (table == null) {
      return planNew(spec);
    }
    boolean indexed = IndexTables.exists(names.catalog(), names.index());
    Optional<ReaderContract> stored = ReaderContract.of(table.properties());
    DeleteDecision decision = decide(spec, table, stored, indexed);
    if (!(decision instanceof DeleteDecision.Fits fits)) {
      int version = TableUtil.formatVersion(table);
      return new TablePlan(spec, table, decision, null, version, List.of());
    }
    ReaderContract contract = contract(spec, fits.format());
    List<PlanStep> steps = new ArrayList<>();
    boolean promised = stored.filter(contract::equalsButDate).isPresent();
    steps.addAll(needed(fits, table, promised ? Consent.NOT_NEEDED : Consent.NEEDED));
    steps.addAll(indexSteps(spec, fits.format(), names, table, indexed));
    contractStep(stored, contract).ifPresent(steps::add);
    return new TablePlan(spec, table, fits, contract, fits.formatVersion(), steps);
  }

  /** The plan of a table as if it did not exist yet: what follows from the declaration alone. */
  public TablePlan planNew(TableSpec spec) {
    if (spec.mode() == TableSpec.Mode.APPEND_ONLY) {
      return appendOnly(spec, null);
    }
    DeleteDecision decision = choose(spec, new TableState.New(), spec.readers().wishes());
    if (decision instanceof DeleteDecision.Fits fits) {
      return new TablePlan(
          spec,
          null,
          fits,
          contract(spec, fits.format()),
          fits.formatVersion(),
          List.of(new PlanStep.CreateTable(fits.formatVersion())));
    }
    return new TablePlan(spec, null, decision, null, VERSION_WITHOUT_DELETES, List.of());
  }

  private static TablePlan appendOnly(TableSpec spec, @Nullable Table table) {
    OptionalInt wanted = spec.readers().wishes().version().number();
    int version =
        table != null ? TableUtil.formatVersion(table) : wanted.orElse(VERSION_WITHOUT_DELETES);
    List<PlanStep> steps = table == null ? List.of(new PlanStep.CreateTable(version)) : List.of();
    return new TablePlan(spec, table, null, null, version, steps);
  }

  /**
   * A format that the table lives by stays as long as it suits the readers it was chosen for: newer
   * capability data alone moves no table.
   */
  private DeleteDecision decide(
      TableSpec spec, Table table, Optional<ReaderContract> stored, boolean indexed) {
    int version = TableUtil.formatVersion(table);
    TableState state = new TableState.Existing(version, DeleteKinds.in(table));
    Optional<DeleteFormat> kept =
        stored.isPresent()
            ? stored
                .filter(s -> s.sameReaders(contract(spec, s.format())))
                .map(ReaderContract::format)
            : indexed ? Optional.of(DeleteFormat.positional(version)) : Optional.empty();
    boolean fitting =
        kept.filter(one -> one != DeleteFormat.EQUALITY || !spec.kept().needsLookup()).isPresent();
    if (fitting && spec.readers().wishes().deletes() == WantedDeletes.AUTO) {
      Wishes wishes =
          withDeletes(spec.readers().wishes(), WantedDeletes.valueOf(kept.get().name()));
      DeleteDecision same = choose(spec, state, wishes);
      if (same instanceof DeleteDecision.Fits) {
        return same;
      }
    }
    return choose(spec, state, spec.readers().wishes());
  }

  /** Where the old row has to be found, the cheapest deletes that need no lookup are none. */
  private DeleteDecision choose(TableSpec spec, TableState state, Wishes wishes) {
    if (wishes.deletes() != WantedDeletes.AUTO || !spec.kept().needsLookup()) {
      return chooseAny(spec, state, wishes);
    }
    DeleteDecision byPosition = chooseAny(spec, state, withDeletes(wishes, WantedDeletes.POSITION));
    return byPosition instanceof DeleteDecision.Fits
        ? byPosition
        : chooseAny(spec, state, withDeletes(wishes, WantedDeletes.DELETION_VECTOR));
  }

  private static Wishes withDeletes(Wishes wishes, WantedDeletes deletes) {
    return new Wishes(deletes, wishes.version(), wishes.upgrade());
  }

  private DeleteDecision chooseAny(TableSpec spec, TableState state, Wishes wishes) {
    return DeleteFormatChooser.choose(
        new DeleteRequest(
            spec.readers().audience(), capabilities.catalog(), state, wishes, capabilities.data()));
  }

  private ReaderContract contract(TableSpec spec, DeleteFormat format) {
    return new ReaderContract(
        spec.readers().audience().readers().stream().map(DeclaredReader::text).toList(),
        List.copyOf(spec.readers().audience().allowed()),
        format,
        capabilities.data().asOf());
  }

  private static List<PlanStep> needed(DeleteDecision.Fits fits, Table table, Consent conversion) {
    List<PlanStep> steps = new ArrayList<>();
    Snapshot base = table.currentSnapshot();
    for (Need need : fits.needs()) {
      if (need instanceof Need.UpgradeFormat upgrade) {
        steps.add(new PlanStep.UpgradeFormat(upgrade.from(), upgrade.to(), upgrade.lockedOut()));
      } else if (need instanceof Need.ConvertDeletes convert) {
        ConversionPlan plan = ConversionPlan.of(table, base, fits.format(), convert.kinds());
        steps.add(
            new PlanStep.ConvertDeletes(
                convert.kinds().stream().sorted().toList(),
                fits.format(),
                plan.replaced().size(),
                plan.files().size(),
                plan.rows(),
                plan.bytesToCompare(),
                conversion));
      }
    }
    return steps;
  }

  private static List<PlanStep> indexSteps(
      TableSpec spec, DeleteFormat format, IndexedTable names, Table table, boolean indexed) {
    if (format == DeleteFormat.EQUALITY) {
      return indexed ? List.of(new PlanStep.DropIndex(names.index())) : List.of();
    }
    KeySpec key = KeySpec.of(spec.table(), table.schema(), spec.key());
    Freshness freshness = IndexTables.freshness(names.catalog(), names.index(), table, key);
    if (freshness instanceof Freshness.Missing) {
      Snapshot snapshot = table.currentSnapshot();
      return List.of(new PlanStep.BuildIndex(names.index(), records(snapshot)));
    } else if (freshness instanceof Freshness.Stale stale) {
      return List.of(new PlanStep.CatchUpIndex(names.index(), stale.reason()));
    }
    return List.of();
  }

  private static long records(@Nullable Snapshot snapshot) {
    return snapshot == null
        ? 0
        : Long.parseLong(snapshot.summary().getOrDefault("total-records", "0"));
  }

  private static Optional<PlanStep> contractStep(
      Optional<ReaderContract> stored, ReaderContract contract) {
    if (stored.isEmpty()) {
      return Optional.of(new PlanStep.RecordContract(contract));
    }
    List<String> differences = stored.get().differencesTo(contract);
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(new PlanStep.ChangeContract(differences));
  }
}
