package io.rowmark.merge.probe;

import io.rowmark.formats.capability.CatalogCapability;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.CommitSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.rest.RESTCatalog;
import org.jspecify.annotations.Nullable;

/**
 * Learns what a catalog really does, since what it says is often less, or more, than that: which
 * format versions and deletes it takes, whether it keeps what it is given, and whether its commits
 * are safe when writers meet. Writes only to scratch tables, and removes them whatever happens.
 *
 * <p>It can show that a catalog is not atomic; that it is, no number of tries can prove.
 */
public final class CatalogProbe {
  private CatalogProbe() {}

  /**
   * Runs all experiments; some tens of commits, so up to minutes on a slow catalog.
   *
   * @param namespace for the scratch tables; created, and removed again, when it is missing
   * @param spec as {@code ingest} will use it
   * @throws RowmarkException CONFIG when the namespace can be neither found nor created
   */
  public static ProbeReport run(Catalog catalog, Namespace namespace, CommitSpec spec) {
    return run(catalog, namespace, spec, null);
  }

  /**
   * As {@link #run(Catalog, Namespace, CommitSpec)}.
   *
   * @param known what the capability data says of the catalog; null for nothing
   */
  public static ProbeReport run(
      Catalog catalog, Namespace namespace, CommitSpec spec, @Nullable CatalogCapability known) {
    ScratchTables scratch = ScratchTables.in(catalog, namespace);
    List<Finding> findings = new ArrayList<>();
    List<String> left;
    try {
      findings.addAll(new TableTrials(scratch).run());
      findings.addAll(new StaleTrials(scratch).run());
      findings.addAll(multiTable(catalog, scratch));
    } finally {
      left = scratch.removeAll();
    }
    return new ProbeReport(
        catalog.name(),
        catalog.getClass().getSimpleName(),
        namespace.toString(),
        findings,
        ProtocolChoice.of(spec, known, catalog, findings),
        left);
  }

  private static List<Finding> multiTable(Catalog catalog, ScratchTables scratch) {
    if (catalog instanceof RESTCatalog rest) {
      return new TransactionTrials(rest, scratch).run();
    }
    List<Finding> none = new ArrayList<>();
    for (Experiment experiment :
        List.of(
            Experiment.ENDPOINT,
            Experiment.MULTI_TABLE_COMMIT,
            Experiment.STALE_MEMBER,
            Experiment.CONCURRENT_COMMITS,
            Experiment.STAGED_CREATE)) {
      none.add(
          Trial.observe(
              experiment,
              () ->
                  experiment == Experiment.ENDPOINT || experiment == Experiment.MULTI_TABLE_COMMIT
                      ? Trial.no("only REST catalogs have a multi-table commit")
                      : Trial.notTried("no multi-table commit")));
    }
    return none;
  }
}
