package io.rowmark.merge.commit;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.spec.CommitSpec;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.rest.RESTCatalog;

/** Decides how a batch is committed on a catalog. */
public final class CommitProtocols {
  /** A server sets this in its {@code /v1/config} to say that its multi-table commit is atomic. */
  public static final String ATOMIC_CLAIM = "rowmark.multi-table-commit";

  private CommitProtocols() {}

  /**
   * AUTO takes the atomic commit only where the catalog claims atomicity, by its own config or by
   * the user's catalog properties: that a server has the endpoint proves nothing.
   *
   * @throws RowmarkException CONFIG when ATOMIC is asked of a catalog that is no REST catalog
   */
  public static CommitProtocol choose(CommitSpec spec, Catalog catalog, StepListener listener) {
    return switch (spec.mode()) {
      case ORDERED -> new OrderedCommit(catalog, listener);
      case ATOMIC -> {
        if (catalog instanceof RESTCatalog rest) {
          yield new AtomicCommit(rest, listener);
        }
        throw RowmarkException.config(
            "commit.mode is atomic, and catalog %s (%s) has no multi-table commit. Set commit.mode to ordered or auto."
                .formatted(catalog.name(), catalog.getClass().getSimpleName()));
      }
      case AUTO ->
          catalog instanceof RESTCatalog rest
                  && "atomic".equals(rest.properties().get(ATOMIC_CLAIM))
              ? new AtomicCommit(rest, listener)
              : new OrderedCommit(catalog, listener);
    };
  }
}
