package io.rowmark.integration.readers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.jspecify.annotations.Nullable;

/** Writes orders, and deletes of them by key, with Iceberg's own writers; commits nothing. */
record OrderFiles(Table table) {
  private static final Schema KEY = Order.SCHEMA.select("id");

  /** One data file for each partition of the table's current spec. */
  List<DataFile> data(List<Order> orders) {
    List<DataFile> files = new ArrayList<>();
    byPartition(orders)
        .forEach(
            (partition, rows) -> {
              DataWriter<Record> writer =
                  new GenericFileWriterFactory.Builder(table)
                      .dataFileFormat(FileFormat.PARQUET)
                      .dataSchema(table.schema())
                      .build()
                      .newDataWriter(
                          outputs().newOutputFile(table.spec(), partition),
                          table.spec(),
                          partition);
              try (writer) {
                rows.forEach(row -> writer.write(row.record()));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              files.add(writer.toDataFile());
            });
    return files;
  }

  /** Deletes that apply to the partition that each order lies in, one file for each of these. */
  List<DeleteFile> deletesInPartition(List<Order> orders) {
    List<DeleteFile> files = new ArrayList<>();
    byPartition(orders)
        .forEach((partition, rows) -> files.add(deletes(rows, table.spec(), partition)));
    return files;
  }

  /** Deletes that apply to the whole table, under its unpartitioned spec. */
  DeleteFile globalDeletes(List<Order> orders) {
    PartitionSpec unpartitioned =
        table.specs().values().stream()
            .filter(PartitionSpec::isUnpartitioned)
            .findFirst()
            .orElseThrow();
    return deletes(orders, unpartitioned, null);
  }

  private DeleteFile deletes(
      List<Order> orders, PartitionSpec spec, @Nullable PartitionKey partition) {
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(new int[] {KEY.findField("id").fieldId()})
            .equalityDeleteRowSchema(KEY)
            .build()
            .newEqualityDeleteWriter(outputs().newOutputFile(spec, partition), spec, partition);
    try (writer) {
      for (Order order : orders) {
        writer.write(GenericRecord.create(KEY).copy(Map.of("id", order.id())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDeleteFile();
  }

  private Map<PartitionKey, List<Order>> byPartition(List<Order> orders) {
    InternalRecordWrapper wrapper = new InternalRecordWrapper(table.schema().asStruct());
    Map<PartitionKey, List<Order>> grouped = new LinkedHashMap<>();
    for (Order order : orders) {
      PartitionKey partition = new PartitionKey(table.spec(), table.schema());
      partition.partition(wrapper.wrap(order.record()));
      grouped.computeIfAbsent(partition, key -> new ArrayList<>()).add(order);
    }
    return grouped;
  }

  private OutputFileFactory outputs() {
    return OutputFileFactory.builderFor(table, 0, 0)
        .operationId(UUID.randomUUID().toString())
        .format(FileFormat.PARQUET)
        .build();
  }
}
