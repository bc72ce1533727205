package io.rowmark.merge.plan;

import java.util.Arrays;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.exceptions.AlreadyExistsException;

/** Makes the namespaces that new tables need. */
public final class Namespaces {
  private Namespaces() {}

  /** Creates a namespace and its parents where the catalog has namespaces. */
  public static void create(Catalog catalog, Namespace namespace) {
    if (!(catalog instanceof SupportsNamespaces namespaces) || namespace.isEmpty()) {
      return;
    }
    for (int depth = 1; depth <= namespace.length(); depth++) {
      String[] levels = Arrays.copyOf(namespace.levels(), depth);
      Namespace level = Namespace.of(levels);
      if (!namespaces.namespaceExists(level)) {
        try {
          namespaces.createNamespace(level);
        } catch (AlreadyExistsException e) {
          // someone else was faster, which is as good
        }
      }
    }
  }
}
