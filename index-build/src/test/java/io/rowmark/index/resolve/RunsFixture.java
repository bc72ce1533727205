package io.rowmark.index.resolve;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.formats.key.SortedKeysBuilder;
import io.rowmark.formats.position.FileDeleteWriter;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.DateTimeUtil;
import org.jspecify.annotations.Nullable;

/** An index table in memory with small pages, written run by run. */
final class RunsFixture {
  /** Rows of a page. */
  static final int PAGE_ROWS = 20;

  /** An entry to write; values as {@link KeyForm#encode} takes them. */
  record Entry(
      List<Object> key,
      @Nullable String dataFile,
      @Nullable Long position,
      @Nullable Long rowId,
      byte @Nullable [] order) {
    static Entry at(String dataFile, long position, Object... key) {
      return new Entry(List.of(key), dataFile, position, null, null);
    }
  }

  private static final InMemoryCatalog CATALOG = new InMemoryCatalog();
  private static int tables;

  static {
    CATALOG.initialize("memory", Map.of());
    CATALOG.createNamespace(Namespace.of("i"));
  }

  private final Table table;
  private final KeySpec key;

  private RunsFixture(Table table, KeySpec key) {
    this.table = table;
    this.key = key;
  }

  static RunsFixture create(int formatVersion, Type... keyTypes) {
    return create(formatVersion, Map.of(), keyTypes);
  }

  static RunsFixture create(int formatVersion, Map<String, String> properties, Type... keyTypes) {
    KeySpec key = key(keyTypes);
    Schema schema = IndexLayout.schema(key);
    Map<String, String> all = new TreeMap<>(IndexLayout.properties(formatVersion, key));
    all.put("write.parquet.page-row-limit", Integer.toString(PAGE_ROWS));
    all.putAll(properties);
    Table table =
        CATALOG
            .buildTable(TableIdentifier.of("i", "index" + tables++), schema)
            .withSortOrder(IndexLayout.sortOrder(schema, key))
            .withProperties(all)
            .create();
    return new RunsFixture(table, key);
  }

  /** Settings that give row groups of a few pages. */
  static Map<String, String> smallRowGroups() {
    return Map.of(
        "write.parquet.row-group-size-bytes", "2000",
        "write.parquet.row-group-check-min-record-count", "50",
        "write.parquet.row-group-check-max-record-count", "50");
  }

  static KeySpec key(Type... types) {
    List<KeySpec.KeyColumn> columns = new ArrayList<>();
    for (Type type : types) {
      columns.add(new KeySpec.KeyColumn(columns.size() + 1, "k" + columns.size(), type));
    }
    return new KeySpec(columns);
  }

  Table table() {
    return table;
  }

  KeySpec key() {
    return key;
  }

  Collection<LiveFile> files() {
    table.refresh();
    return LiveFiles.withBounds(
            table, table.currentSnapshot(), PageLookup.boundedColumns(table, key))
        .all();
  }

  SortedKeys keys(Collection<? extends List<?>> wanted) {
    SortedKeysBuilder builder = SortedKeys.builder(key);
    wanted.forEach(builder::add);
    return builder.sorted();
  }

  /** Order of keys as this fixture writes them. */
  Comparator<List<Object>> order() {
    return (one, other) -> {
      for (int i = 0; i < key.columns().size(); i++) {
        Type type = key.columns().get(i).type();
        int order =
            KeyForm.compare(KeyForm.encode(type, one.get(i)), KeyForm.encode(type, other.get(i)));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }

  LookupResult find(SortedKeys keys) {
    return find(keys, ReadRanges.DEFAULT);
  }

  LookupResult find(SortedKeys keys, ReadRanges ranges) {
    return PageLookup.of(table, key, ranges).find(files(), keys, Runnable::run);
  }

  /** Appends entries in the order given as one file, and tells its path. */
  String append(List<Entry> entries) throws IOException {
    Schema schema = table.schema();
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(schema)
            .build()
            .newDataWriter(outputs().newOutputFile(), PartitionSpec.unpartitioned(), null);
    int width = key.columns().size();
    try (writer) {
      GenericRecord record = GenericRecord.create(schema);
      for (Entry entry : entries) {
        for (int i = 0; i < width; i++) {
          record.set(i, stored(schema.columns().get(i).type(), entry.key().get(i)));
        }
        record.set(width, entry.dataFile());
        record.set(width + 1, entry.position());
        record.set(width + 2, entry.rowId());
        record.set(width + 3, entry.order() == null ? null : ByteBuffer.wrap(entry.order()));
        writer.write(record);
      }
    }
    DataFile file = writer.toDataFile();
    table.newAppend().appendFile(file).commit();
    return file.location();
  }

  /** Takes in a file that another writer made. */
  String adopt(byte[] parquet, long rows) {
    String path = table.locationProvider().newDataLocation("foreign-" + UUID.randomUUID());
    ((InMemoryFileIO) table.io()).addFile(path, parquet);
    DataFile file =
        DataFiles.builder(PartitionSpec.unpartitioned())
            .withPath(path)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(parquet.length)
            .withRecordCount(rows)
            .build();
    table.newAppend().appendFile(file).commit();
    return path;
  }

  /** Hides entries by file and row number. */
  void hide(Map<String, TreeSet<Long>> rows) throws IOException {
    table.refresh();
    LiveFiles live = LiveFiles.at(table, table.currentSnapshot());
    FileDeleteWriter writer =
        new FileDeleteWriter(
            table, DeleteFormat.positional(TableUtil.formatVersion(table)), outputs());
    RowDelta delta = table.newRowDelta();
    for (Map.Entry<String, TreeSet<Long>> file : rows.entrySet()) {
      long[] positions = file.getValue().stream().mapToLong(Long::longValue).toArray();
      FileDeletes deletes = writer.delete(live.require(file.getKey()), positions);
      deletes.added().forEach(delta::addDeletes);
      deletes.replaced().forEach(delta::removeDeletes);
      if (deletes.fate() == FileDeletes.Fate.EMPTIED) {
        delta.removeRows(live.require(file.getKey()).file());
      }
    }
    delta.validateFromSnapshot(table.currentSnapshot().snapshotId()).commit();
  }

  private static Object stored(Type type, Object value) {
    return switch (type.typeId()) {
      case FIXED, UUID -> value;
      case BINARY -> ByteBuffer.wrap((byte[]) value);
      case TIMESTAMP_NANO ->
          ((Types.TimestampNanoType) type).shouldAdjustToUTC()
              ? DateTimeUtil.timestamptzFromNanos((Long) value)
              : DateTimeUtil.timestampFromNanos((Long) value);
      default -> IdentityPartitionConverters.convertConstant(type, value);
    };
  }

  private OutputFileFactory outputs() {
    return OutputFileFactory.builderFor(table, 0, 0)
        .operationId(UUID.randomUUID().toString())
        .format(FileFormat.PARQUET)
        .build();
  }
}
