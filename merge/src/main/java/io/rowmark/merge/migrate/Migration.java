package io.rowmark.merge.migrate;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.TableSwap;
import io.rowmark.index.convert.ConversionPlan;
import io.rowmark.index.convert.ConversionReport;
import io.rowmark.index.convert.DeleteConversion;
import io.rowmark.index.convert.DeleteConversion.Staged;
import io.rowmark.index.write.RefusedDeletes;
import io.rowmark.merge.plan.PlanStep;
import io.rowmark.merge.plan.ReaderContract;
import io.rowmark.merge.plan.TablePlan;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Takes the steps of a table's plan. Format upgrade, converted deletes and new contract become
 * visible in one commit of the data table; index steps follow, and are found again by any later run
 * if this one dies in between.
 */
public final class Migration {
  private final SparkSession spark;
  private final IndexedTable names;
  private final TablePlan plan;
  private final List<String> done = new ArrayList<>();

  private Migration(SparkSession spark, IndexedTable names, TablePlan plan) {
    this.spark = spark;
    this.names = names;
    this.plan = plan;
  }

  /**
   * Changes the table as planned. A plan without steps changes nothing.
   *
   * @return lines for people: what was done
   * @throws RowmarkException CONFLICT when someone else changed the table meanwhile: then nothing
   *     was committed. UNKNOWN_COMMIT when the catalog's answer was lost
   */
  public static List<String> apply(SparkSession spark, IndexedTable names, TablePlan plan) {
    return new Migration(spark, names, plan).apply();
  }

  private List<String> apply() {
    if (plan.table() == null) {
      return List.of();
    }
    changeTable(names.loadData());
    for (PlanStep step : plan.steps()) {
      if (step instanceof PlanStep.DropIndex drop) {
        names.catalog().dropTable(drop.index(), true);
        done.add("dropped the index " + drop.index());
      }
    }
    DeleteFormat format = plan.format();
    if (format != null && format != DeleteFormat.EQUALITY) {
      bringUpIndex(names.loadData());
    }
    return List.copyOf(done);
  }

  /** Whatever moves the data table to a new snapshot leaves its index behind. */
  private void bringUpIndex(Table data) {
    TableUpkeep upkeep = new TableUpkeep(spark);
    Freshness freshness =
        IndexTables.freshness(names.catalog(), names.index(), data, names.keyOf(data));
    if (freshness instanceof Freshness.Missing) {
      done.add(upkeep.build(names, "the table had none"));
    } else if (freshness instanceof Freshness.Stale) {
      done.add(upkeep.reconcile(names));
    }
  }

  private void changeTable(Table data) {
    Transaction transaction = data.newTransaction();
    List<String> changes = new ArrayList<>();
    setProperties(data, transaction, changes);
    Staged staged = null;
    ConversionPlan conversion = conversion(data);
    if (conversion != null && !conversion.isEmpty()) {
      staged = DeleteConversion.stage(spark, transaction, conversion);
      changes.add(text(staged.report(), conversion.to()));
    }
    if (!changes.isEmpty()) {
      commit(data, transaction, staged);
      done.addAll(changes);
    }
  }

  private void setProperties(Table data, Transaction transaction, List<String> changes) {
    UpdateProperties update = transaction.updateProperties();
    int version = TableUtil.formatVersion(data);
    boolean upgrades = plan.steps().stream().anyMatch(PlanStep.UpgradeFormat.class::isInstance);
    if (upgrades && version < plan.formatVersion()) {
      update.set(TableProperties.FORMAT_VERSION, Integer.toString(plan.formatVersion()));
      changes.add(
          "upgraded the table from format version %d to %d"
              .formatted(version, plan.formatVersion()));
    }
    ReaderContract contract = plan.contract();
    boolean promised =
        contract == null
            || ReaderContract.of(data.properties()).filter(contract::equalsButDate).isPresent();
    if (contract != null && !promised) {
      Map<String, String> promise = contract.toProperties();
      data.properties().keySet().stream()
          .filter(name -> ReaderContract.isOwn(name) && !promise.containsKey(name))
          .forEach(update::remove);
      promise.forEach(update::set);
      changes.add("recorded the readers " + String.join(", ", contract.readers()));
    }
    update.commit();
  }

  private @Nullable ConversionPlan conversion(Table data) {
    DeleteFormat format = plan.format();
    if (format == null) {
      return null;
    }
    Set<DeleteFormat> kinds = EnumSet.noneOf(DeleteFormat.class);
    for (PlanStep step : plan.steps()) {
      if (step instanceof PlanStep.ConvertDeletes convert) {
        kinds.addAll(convert.kinds());
      }
    }
    return ConversionPlan.of(data, data.currentSnapshot(), format, kinds);
  }

  private static String text(ConversionReport report, DeleteFormat to) {
    return "converted %,d delete files into %,d (%s) of %,d data files, %,d rows by key among them; %,d data files without a live row dropped"
        .formatted(
            report.deleteFilesRemoved(),
            report.deleteFilesAdded(),
            to.text(),
            report.dataFiles(),
            report.rowsHidden(),
            report.dropped());
  }

  private void commit(Table data, Transaction transaction, @Nullable Staged staged) {
    try {
      if (staged == null) {
        transaction.commitTransaction();
      } else {
        TableSwap.once(transaction, names::loadData, SnapshotRef.MAIN_BRANCH);
      }
    } catch (ValidationException | CommitFailedException e) {
      if (staged != null) {
        RefusedDeletes.remove(data.io(), staged.added());
      }
      throw new RowmarkException(
          Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "Another writer changed table %s meanwhile, so nothing was committed. Run again."
              .formatted(names.data()),
          e);
    } catch (RuntimeException e) {
      throw new RowmarkException(
          Category.UNKNOWN_COMMIT,
          RowmarkException.Retry.HELPS,
          "The catalog gave no clear answer to the change of table %s: it may or may not be in place. No file was removed. Run 'rowmark plan' to see what is left to do."
              .formatted(names.data()),
          e);
    }
  }
}
