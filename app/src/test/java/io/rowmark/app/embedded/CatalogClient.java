package io.rowmark.app.embedded;

import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;

/** Iceberg's own REST client, and the few steps that the tests of the embedded catalog share. */
record CatalogClient(RESTCatalog catalog) implements AutoCloseable {
  static final Namespace SHOP = Namespace.of("shop");
  static final TableIdentifier ORDERS = TableIdentifier.of(SHOP, "orders");
  static final TableIdentifier INDEX = TableIdentifier.of(SHOP, "orders__rowmark_index");
  static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "name", Types.StringType.get()));

  static CatalogClient of(EmbeddedCatalog server) {
    return new CatalogClient(
        (RESTCatalog)
            CatalogUtil.buildIcebergCatalog("c", server.clientProperties(), new Configuration()));
  }

  /** Creates the namespace and two empty tables, both of format version 3. */
  void createTwoTables() {
    catalog.createNamespace(SHOP);
    for (TableIdentifier table : Set.of(ORDERS, INDEX)) {
      catalog.createTable(
          table, SCHEMA, PartitionSpec.unpartitioned(), Map.of("format-version", "3"));
    }
  }

  /** A data file that exists by name only: the catalog never opens data files. */
  static DataFile dataFile(String name) {
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath("file:/nowhere/" + name + ".parquet")
        .withFileSizeInBytes(100)
        .withRecordCount(1)
        .build();
  }

  void append(TableIdentifier table, String name) {
    catalog.loadTable(table).newAppend().appendFile(dataFile(name)).commit();
  }

  /** An append made on the client against what the table is now, not yet sent. */
  TableCommit stagedAppend(TableIdentifier table, String name) {
    return staged(table, change -> change.newAppend().appendFile(dataFile(name)).commit());
  }

  TableCommit staged(TableIdentifier table, Consumer<Transaction> change) {
    BaseTransaction transaction = (BaseTransaction) catalog.loadTable(table).newTransaction();
    change.accept(transaction);
    return TableCommit.create(table, transaction.startMetadata(), transaction.currentMetadata());
  }

  void commit(TableCommit... commits) {
    catalog.commitTransaction(Arrays.asList(commits));
  }

  /** Names of the live data files, as given to {@link #dataFile}. */
  Set<String> liveFiles(TableIdentifier table) {
    try (CloseableIterable<FileScanTask> files = catalog.loadTable(table).newScan().planFiles()) {
      return StreamSupport.stream(files.spliterator(), false)
          .map(task -> task.file().location().replaceAll(".*/(.*)\\.parquet", "$1"))
          .collect(toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      catalog.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
