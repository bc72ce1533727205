package io.rowmark.merge.convert;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.convert.ConversionLimits;
import io.rowmark.index.convert.ConversionOutlook;
import io.rowmark.index.convert.SliceReport;
import io.rowmark.index.convert.TableConversion;
import io.rowmark.index.publish.BranchPublisher;
import io.rowmark.index.publish.Branches;
import io.rowmark.index.publish.PublishLimits;
import io.rowmark.index.publish.PublishOutlook;
import io.rowmark.index.publish.PublishReport;
import io.rowmark.merge.commit.KeyPolicy;
import io.rowmark.merge.migrate.TableUpkeep;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchIcebergTableException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** Converts the deletes of tables of a catalog, whether they are configured or not. */
public final class DeleteConverter {
  private final PipelineSpec pipeline;
  private final Catalog catalog;

  public DeleteConverter(PipelineSpec pipeline, Catalog catalog) {
    this.pipeline = pipeline;
    this.catalog = catalog;
  }

  /**
   * Looks at manifests only, and changes nothing.
   *
   * @throws RowmarkException CONFIG when there is no such table or branch, or the table may not be
   *     converted; TABLE_STATE for a format version without deletes by position, or a target branch
   *     that holds other rows
   */
  public ConvertOutlook outlook(String name, ConvertRequest request) {
    Table table = load(name);
    Branches branches = request.branches();
    return new ConvertOutlook(
        name,
        TableUtil.formatVersion(table),
        allowed(name).apply(table),
        branches == null ? ConversionOutlook.of(table, allowed(name).apply(table)) : null,
        branches == null ? null : PublishOutlook.of(table, branches));
  }

  /**
   * Converts what a table has when the run begins, and lets its index follow.
   *
   * @throws RowmarkException as {@link #outlook}, and CONFLICT when others kept forestalling a
   *     commit, UNKNOWN_COMMIT when the catalog's answer was lost
   */
  public ConvertReport convert(
      SparkSession spark, String name, ConvertRequest request, ConvertListener listener) {
    long start = System.nanoTime();
    ConvertOutlook before = outlook(name, request);
    listener.begins(before);
    Branches branches = request.branches();
    List<SliceReport> slices =
        branches == null ? inPlace(spark, name, request).run(listener::committed) : List.of();
    List<PublishReport> publications =
        branches == null
            ? List.of()
            : publisher(spark, name, branches, request).run(listener::published);
    boolean changed = !slices.isEmpty() || movesIndex(branches) && !publications.isEmpty();
    return new ConvertReport(
        before,
        outlook(name, request),
        slices,
        publications,
        changed ? index(spark, name) : List.of(),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
  }

  private static boolean movesIndex(@Nullable Branches branches) {
    return branches != null && branches.to().equals(SnapshotRef.MAIN_BRANCH);
  }

  private TableConversion inPlace(SparkSession spark, String name, ConvertRequest request) {
    return new TableConversion(
        spark,
        catalog,
        TableIdentifier.parse(name),
        indexOf(name),
        allowed(name),
        new ConversionLimits(
            request.maxBytes(), request.maxCommits(), pipeline.commit().attempts()));
  }

  private BranchPublisher publisher(
      SparkSession spark, String name, Branches branches, ConvertRequest request) {
    return new BranchPublisher(
        spark,
        catalog,
        TableIdentifier.parse(name),
        branches,
        allowed(name),
        new PublishLimits(request.snapshots(), request.maxCommits(), pipeline.commit().attempts()));
  }

  /** An index that could not follow each commit is caught up, if its key is known. */
  private List<String> index(SparkSession spark, String name) {
    if (!IndexTables.exists(catalog, indexOf(name))) {
      return List.of();
    }
    TableSpec spec = spec(name);
    if (spec == null || !spec.isKeyed()) {
      return List.of(
          "index %s is brought up to date by the next batch of the pipeline that has the table"
              .formatted(indexOf(name)));
    }
    IndexedTable names =
        new IndexedTable(
            catalog,
            pipeline.catalog().name(),
            TableIdentifier.parse(name),
            indexOf(name),
            spec.key(),
            KeyPolicy.of(pipeline, spec, catalog));
    Table data = names.loadData();
    Freshness freshness = IndexTables.freshness(catalog, names.index(), data, names.keyOf(data));
    return freshness instanceof Freshness.Stale
        ? List.of(new TableUpkeep(spark).reconcile(names))
        : List.of("index %s is up to date".formatted(names.index()));
  }

  private TableIdentifier indexOf(String name) {
    return TableIdentifier.parse(name + pipeline.index().suffix());
  }

  private AllowedFormat allowed(String name) {
    return new AllowedFormat(pipeline.capabilities(), name, spec(name));
  }

  private @Nullable TableSpec spec(String name) {
    for (TableSpec spec : pipeline.tables()) {
      if (spec.table().equals(name)) {
        return spec;
      }
    }
    return null;
  }

  private Table load(String name) {
    try {
      return catalog.loadTable(TableIdentifier.parse(name));
    } catch (NoSuchIcebergTableException e) {
      throw RowmarkException.config(
          "Table %s is in the catalog '%s', but it is not an Iceberg table; only those can be converted."
              .formatted(name, catalog.name()));
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      throw RowmarkException.config(
          "There is no Iceberg table %s in the catalog '%s'. Write namespace and table without the catalog's name, as in shop.orders, and check catalog.properties."
              .formatted(name, catalog.name()));
    }
  }
}
