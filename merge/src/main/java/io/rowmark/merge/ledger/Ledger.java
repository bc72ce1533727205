package io.rowmark.merge.ledger;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.SeenInputs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;

/**
 * The ledger of a pipeline as it was when loaded: which inputs are in which table. It is an
 * ordinary Iceberg table, so "what went in when" is a query.
 */
public final class Ledger implements SeenInputs {
  private final Table table;
  private final Map<String, LedgerEntry> latest;

  private Ledger(Table table, Map<String, LedgerEntry> latest) {
    this.table = table;
    this.latest = latest;
  }

  /** Loads the ledger, creating the empty table if it is missing. */
  public static Ledger open(Catalog catalog, TableIdentifier name) {
    Table table =
        catalog.tableExists(name)
            ? catalog.loadTable(name)
            : catalog
                .buildTable(name, LedgerRows.SCHEMA)
                .withProperty("format-version", "2")
                .withProperty("write.parquet.compression-codec", "zstd")
                .create();
    if (table.schema().asStruct().equals(LedgerRows.FORMER.asStruct())) {
      table.updateSchema().unionByNameWith(LedgerRows.SCHEMA).commit();
    }
    if (!table.schema().sameSchema(LedgerRows.SCHEMA)) {
      throw RowmarkException.tableState(
          "Table %s exists and is not a ledger. Choose another name in ledger.table."
              .formatted(name));
    }
    Map<String, LedgerEntry> latest = new HashMap<>();
    try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
      for (Record row : rows) {
        LedgerEntry entry = LedgerRows.fromRecord(row);
        latest.merge(slot(entry.table(), entry.input()), entry, Ledger::later);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the ledger " + name, e);
    }
    return new Ledger(table, latest);
  }

  private static LedgerEntry later(LedgerEntry one, LedgerEntry other) {
    int byTime = one.recordedAt().compareTo(other.recordedAt());
    if (byTime != 0) {
      return byTime > 0 ? one : other;
    }
    return one.status().compareTo(other.status()) >= 0 ? one : other;
  }

  private static String slot(String table, String input) {
    return table + '\0' + input;
  }

  /** The ledger's Iceberg table, as loaded. */
  public Table table() {
    return table;
  }

  @Override
  public boolean isNew(String dataTable, InputFile file) {
    LedgerEntry entry = latest.get(slot(dataTable, file.name()));
    if (entry == null || entry.status() == LedgerEntry.Status.ABANDONED) {
      return true;
    }
    if (entry.status() == LedgerEntry.Status.DONE && entry.inputSize() != file.size()) {
      throw RowmarkException.source(
          ("File '%s' has %d bytes, and had %d when batch %s took it into %s. A landed file must"
                  + " not change. Land the new content under a new name, or restore the file.")
              .formatted(file.name(), file.size(), entry.inputSize(), entry.batchId(), dataTable));
    }
    return entry.status() != LedgerEntry.Status.DONE || !entry.heldBack().isEmpty();
  }

  @Override
  public List<String> heldBack(String dataTable, InputFile file) {
    LedgerEntry entry = latest.get(slot(dataTable, file.name()));
    return entry != null && entry.status() == LedgerEntry.Status.DONE
        ? entry.heldBack()
        : List.of();
  }

  @Override
  public Set<String> namesOf(String dataTable) {
    return latest.values().stream()
        .filter(entry -> entry.table().equals(dataTable))
        .filter(entry -> entry.status() == LedgerEntry.Status.DONE)
        .map(LedgerEntry::input)
        .collect(Collectors.toSet());
  }

  /** Inputs whose ordered commit was begun and not recorded as done. */
  public List<LedgerEntry> openIntents() {
    return latest.values().stream()
        .filter(entry -> entry.status() == LedgerEntry.Status.INTENT)
        .toList();
  }

  /** Writes entries to one new data file of the ledger table, not committed. */
  public static DataFile write(Table table, List<LedgerEntry> entries) {
    OutputFileFactory outputs =
        OutputFileFactory.builderFor(table, 0, 0)
            .operationId(UUID.randomUUID().toString())
            .format(FileFormat.PARQUET)
            .build();
    GenericFileWriterFactory files =
        new GenericFileWriterFactory.Builder(table).dataFileFormat(FileFormat.PARQUET).build();
    DataWriter<Record> writer =
        files.newDataWriter(outputs.newOutputFile(), PartitionSpec.unpartitioned(), null);
    try (writer) {
      new ArrayList<>(entries).forEach(entry -> writer.write(LedgerRows.toRecord(entry)));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write to the ledger " + table.name(), e);
    }
    return writer.toDataFile();
  }
}
