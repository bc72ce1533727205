package io.rowmark.merge.probe;

import io.rowmark.formats.failure.RowmarkException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.apache.iceberg.types.Types;

/**
 * Tables that exist for one probe. Their names carry a random part that nobody else uses, and they
 * are remembered before they are created, so that a create whose answer was lost is removed too.
 */
final class ScratchTables {
  /** Begins every name, so that the tables of a killed probe are found. */
  static final String PREFIX = "rowmark_probe_";

  static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "note", Types.StringType.get()));

  private final Catalog catalog;
  private final Namespace namespace;
  private final String unique;
  private final Set<TableIdentifier> tables = new LinkedHashSet<>();
  private final Deque<Namespace> ownNamespaces = new ArrayDeque<>();

  private ScratchTables(Catalog catalog, Namespace namespace, String unique) {
    this.catalog = catalog;
    this.namespace = namespace;
    this.unique = unique;
  }

  /**
   * Makes sure that the namespace is there.
   *
   * @throws RowmarkException CONFIG when it can be neither found nor created
   */
  static ScratchTables in(Catalog catalog, Namespace namespace) {
    String random = UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    ScratchTables scratch = new ScratchTables(catalog, namespace, PREFIX + random);
    try {
      scratch.createNamespace();
    } catch (RuntimeException e) {
      scratch.removeAll();
      throw new RowmarkException(
          io.rowmark.formats.failure.Category.CONFIG,
          RowmarkException.Retry.USELESS,
          "The namespace '%s' is not there and cannot be created: %s. Name one in which tables may be created."
              .formatted(namespace, Trial.answer(e)),
          e);
    }
    return scratch;
  }

  private void createNamespace() {
    if (!(catalog instanceof SupportsNamespaces namespaces)) {
      return;
    }
    for (int depth = 1; depth <= namespace.length(); depth++) {
      Namespace level = Namespace.of(Arrays.copyOf(namespace.levels(), depth));
      if (!namespaces.namespaceExists(level)) {
        try {
          namespaces.createNamespace(level);
          ownNamespaces.push(level);
        } catch (AlreadyExistsException e) {
          // someone else was faster: it is theirs
        }
      }
    }
  }

  /** A name that will be removed at the end, whether or not a table comes to be there. */
  TableIdentifier name(String purpose) {
    TableIdentifier name = TableIdentifier.of(namespace, unique + "_" + purpose);
    tables.add(name);
    return name;
  }

  /** An empty table, as the catalog created it: its format version may be another. */
  TableIdentifier create(String purpose, int formatVersion, Map<String, String> properties) {
    TableIdentifier name = name(purpose);
    catalog
        .buildTable(name, SCHEMA)
        .withPartitionSpec(PartitionSpec.unpartitioned())
        .withProperties(properties)
        .withProperty(TableProperties.FORMAT_VERSION, Integer.toString(formatVersion))
        // needs no native library
        .withProperty(TableProperties.PARQUET_COMPRESSION, "uncompressed")
        .create();
    return name;
  }

  TableIdentifier create(String purpose, int formatVersion) {
    return create(purpose, formatVersion, Map.of());
  }

  /** The table as the catalog has it now. */
  Table load(TableIdentifier name) {
    return catalog.loadTable(name);
  }

  boolean exists(TableIdentifier name) {
    return catalog.tableExists(name);
  }

  /**
   * Removes tables, their files, and the namespaces that were created for them.
   *
   * @return what is left, one line each; empty when nothing is
   */
  List<String> removeAll() {
    List<String> left = new ArrayList<>();
    tables.forEach(name -> remove(name, left));
    if (left.isEmpty() && catalog instanceof SupportsNamespaces namespaces) {
      for (Namespace own : ownNamespaces) {
        attempt("namespace " + own, left, () -> namespaces.dropNamespace(own));
      }
    }
    return List.copyOf(left);
  }

  private void remove(TableIdentifier name, List<String> left) {
    Table table;
    try {
      table = catalog.loadTable(name);
    } catch (NoSuchTableException e) {
      return;
    } catch (RuntimeException e) {
      attempt("table " + name, left, () -> drop(name));
      return;
    }
    String location = table.location();
    FileIO io = table.io();
    int before = left.size();
    attempt("table " + name, left, () -> drop(name));
    if (left.size() == before) {
      attempt("files below " + location, left, () -> removeFiles(io, location));
    }
  }

  private void drop(TableIdentifier name) {
    try {
      catalog.dropTable(name, /* purge= */ true);
    } catch (RuntimeException e) {
      // some servers remove no files for a client; the files go below
      catalog.dropTable(name, /* purge= */ false);
    }
    if (catalog.tableExists(name)) {
      throw new IllegalStateException("the catalog still has it after a drop that it accepted");
    }
  }

  /**
   * Refused commits leave files that no purge knows of. Only a folder that carries the probe's own
   * name is emptied: where the catalog chose another one, it may be shared.
   */
  private void removeFiles(FileIO io, String location) {
    if (location.contains(unique) && io instanceof SupportsPrefixOperations folders) {
      folders.deletePrefix(location.endsWith("/") ? location : location + "/");
    }
  }

  private static void attempt(String what, List<String> left, Runnable removal) {
    try {
      removal.run();
    } catch (RuntimeException e) {
      left.add("%s (%s)".formatted(what, Trial.answer(e)));
    }
  }
}
