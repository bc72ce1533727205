package io.rowmark.merge.commit;

import io.rowmark.formats.capability.CatalogCapability;
import io.rowmark.formats.capability.MultiTableCommit;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.spec.BatchCut;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.SourcePlace;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.rest.RESTCatalog;
import org.jspecify.annotations.Nullable;

/** Decides how a batch is committed on a catalog. */
public final class CommitProtocols {
  /** A server sets this in its {@code /v1/config} to say that its multi-table commit is atomic. */
  public static final String ATOMIC_CLAIM = "rowmark.multi-table-commit";

  private CommitProtocols() {}

  /**
   * A protocol and why it was chosen.
   *
   * @param reason for people
   */
  public record Choice(CommitProtocol protocol, String reason) {}

  /**
   * AUTO takes the atomic commit only where the catalog is known to be atomic, by its own config,
   * by the user's catalog properties or by the capability data: that a server has the endpoint
   * proves nothing.
   *
   * @throws RowmarkException CONFIG when ATOMIC is asked of a catalog that is no REST catalog, or
   *     batches are to be cut between source transactions and the catalog is not atomic
   */
  public static Choice choose(PipelineSpec pipeline, Catalog catalog, StepListener listener) {
    Choice choice = choose(pipeline.commit(), pipeline.capabilities().catalog(), catalog, listener);
    if (pipeline.source().place() instanceof SourcePlace.Folder folder
        && !(folder.cut() instanceof BatchCut.Anywhere)
        && !(choice.protocol() instanceof AtomicCommit)) {
      throw RowmarkException.config(
          "source.transactions.cut promises that no reader sees half a source transaction, which takes one commit for all tables, but commits here are ordered: %s. Use a catalog with an atomic multi-table commit, or set source.transactions.cut = anywhere."
              .formatted(choice.reason()));
    }
    return choice;
  }

  /**
   * As {@link #choose(PipelineSpec, Catalog, StepListener)}.
   *
   * @param known what is known of the catalog; null for nothing
   */
  public static Choice choose(
      CommitSpec spec, @Nullable CatalogCapability known, Catalog catalog, StepListener listener) {
    return switch (spec.mode()) {
      case ORDERED -> new Choice(new OrderedCommit(catalog, listener), "commit.mode is ordered");
      case ATOMIC -> {
        if (catalog instanceof RESTCatalog rest) {
          yield new Choice(new AtomicCommit(rest, listener), "commit.mode is atomic");
        }
        throw RowmarkException.config(
            "commit.mode is atomic, and catalog %s (%s) has no multi-table commit. Set commit.mode to ordered or auto."
                .formatted(catalog.name(), catalog.getClass().getSimpleName()));
      }
      case AUTO -> automatic(known, catalog, listener);
    };
  }

  private static Choice automatic(
      @Nullable CatalogCapability known, Catalog catalog, StepListener listener) {
    if (!(catalog instanceof RESTCatalog rest)) {
      return new Choice(
          new OrderedCommit(catalog, listener),
          "catalog %s is no REST catalog, and only those commit several tables as one"
              .formatted(catalog.name()));
    }
    if ("atomic".equals(rest.properties().get(ATOMIC_CLAIM))) {
      return new Choice(
          new AtomicCommit(rest, listener), "the catalog says %s = atomic".formatted(ATOMIC_CLAIM));
    }
    if (known != null && known.multiTableCommit().value() == MultiTableCommit.ATOMIC) {
      return new Choice(
          new AtomicCommit(rest, listener),
          "catalog.kind is %s, whose multi-table commit is atomic (%s)"
              .formatted(known.name(), known.multiTableCommit().evidence().text()));
    }
    return new Choice(
        new OrderedCommit(catalog, listener),
        "nothing says that the catalog commits several tables as one; 'rowmark check --catalog' finds out, and commit.mode or catalog.kind tells");
  }
}
