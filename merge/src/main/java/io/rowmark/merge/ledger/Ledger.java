package io.rowmark.merge.ledger;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.ledger.LedgerEntry.Status;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.SeenInputs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private final List<LedgerEntry> entries;
  private final Map<String, LedgerEntry> latest;
  private final Map<String, LedgerEntry> done;
  private final Map<String, LedgerEntry> passedOver;

  private Ledger(Table table, List<LedgerEntry> entries) {
    this.table = table;
    this.entries = entries;
    this.latest = last(entries, EnumSet.complementOf(EnumSet.of(Status.PASSED_OVER)));
    this.done = last(entries, EnumSet.of(Status.DONE));
    this.passedOver = last(entries, EnumSet.of(Status.PASSED_OVER));
  }

  private static Map<String, LedgerEntry> last(List<LedgerEntry> entries, Set<Status> of) {
    Map<String, LedgerEntry> last = new HashMap<>();
    entries.stream()
        .filter(entry -> of.contains(entry.status()))
        .forEach(entry -> last.merge(slot(entry.table(), entry.input()), entry, Ledger::later));
    return last;
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
    return new Ledger(table, entries(table));
  }

  /** All that was ever recorded, in no order. */
  private static List<LedgerEntry> entries(Table ledger) {
    List<LedgerEntry> entries = new ArrayList<>();
    try (CloseableIterable<Record> rows = IcebergGenerics.read(ledger).build()) {
      rows.forEach(row -> entries.add(LedgerRows.fromRecord(row)));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the ledger " + ledger.name(), e);
    }
    return entries;
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

  /**
   * What is done stays done: an intent of another batch that was abandoned later, by a run at the
   * same time or a replay, does not make an input new.
   */
  @Override
  public boolean isNew(String dataTable, InputFile file) {
    String slot = slot(dataTable, file.name());
    LedgerEntry entry = done.get(slot);
    if (entry == null) {
      LedgerEntry passed = passedOver.get(slot);
      return passed == null || passed.inputSize() != file.size();
    }
    if (entry.inputSize() != file.size()) {
      throw RowmarkException.source(
          ("File '%s' has %d bytes, and had %d when batch %s took it into %s. A landed file must"
                  + " not change. Land the new content under a new name, or restore the file.")
              .formatted(file.name(), file.size(), entry.inputSize(), entry.batchId(), dataTable));
    }
    return !entry.heldBack().isEmpty();
  }

  @Override
  public List<String> heldBack(String dataTable, InputFile file) {
    LedgerEntry entry = done.get(slot(dataTable, file.name()));
    return entry == null ? List.of() : entry.heldBack();
  }

  @Override
  public boolean isTouched(String dataTable, InputFile file) {
    LedgerEntry entry = done.get(slot(dataTable, file.name()));
    return entry != null
        && !entry.inputModified().equals(file.modified().truncatedTo(ChronoUnit.MICROS));
  }

  @Override
  public Set<String> namesOf(String dataTable) {
    return done.values().stream()
        .filter(entry -> entry.table().equals(dataTable))
        .map(LedgerEntry::input)
        .collect(Collectors.toSet());
  }

  /** When a batch was recorded; empty for one that this ledger does not know. */
  public Optional<Instant> recordedAt(String batchId) {
    return done.values().stream()
        .filter(entry -> entry.batchId().equals(batchId))
        .map(LedgerEntry::recordedAt)
        .min(Comparator.naturalOrder());
  }

  /** All that went in or was passed over, oldest first; an input may be there more than once. */
  public List<LedgerEntry> history() {
    return entries.stream()
        .filter(entry -> entry.status() == Status.DONE || entry.status() == Status.PASSED_OVER)
        .sorted(Comparator.comparing(LedgerEntry::recordedAt))
        .toList();
  }

  @Override
  public Optional<Instant> timeOf(String dataTable, String name) {
    return Optional.ofNullable(done.get(slot(dataTable, name))).map(LedgerEntry::inputModified);
  }

  /**
   * When an input was last recorded as done, which no two records share; empty for one that never
   * was.
   */
  public Optional<Instant> doneAt(String dataTable, String name) {
    return Optional.ofNullable(done.get(slot(dataTable, name))).map(LedgerEntry::recordedAt);
  }

  /** Inputs whose ordered commit was begun and not recorded as done. */
  public List<LedgerEntry> openIntents() {
    return latest.values().stream().filter(entry -> entry.status() == Status.INTENT).toList();
  }

  /**
   * Inputs of batches that were given up, as long as the inputs are new. The request of such a
   * batch may have been under way all the while, and land yet.
   */
  public List<LedgerEntry> abandoned() {
    return entries.stream()
        .filter(entry -> entry.status() == Status.ABANDONED)
        .filter(entry -> !done.containsKey(slot(entry.table(), entry.input())))
        .toList();
  }

  /** Ids of the batches of {@link #abandoned} of one table. */
  public Set<String> abandonedOf(String dataTable) {
    return abandoned().stream()
        .filter(entry -> entry.table().equals(dataTable))
        .map(LedgerEntry::batchId)
        .collect(Collectors.toSet());
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
