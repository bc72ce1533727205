package io.rowmark.integration.reports;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowmark.index.testing.IndexFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;

/** Makes the tables of the cases, some with a history that only another writer gives them. */
final class CasePreparation {
  private CasePreparation() {}

  static void prepare(ReportedCase reported, CaseRun run) throws IOException {
    switch (reported.id()) {
      case "BC-23" -> deletesOfTheSameCommit(reported, run);
      case "BC-25" -> deletesByDroppedColumn(reported, run);
      case "BC-27" -> deletesInTheOrderOfTheKey(reported, run);
      default -> create(run, reported.schema(), reported.partitions(reported.schema()));
    }
  }

  private static Table create(CaseRun run, Schema schema, PartitionSpec partitions) {
    return run.catalog()
        .iceberg()
        .createTable(
            run.table(),
            schema,
            partitions,
            Map.of("format-version", Integer.toString(run.formatVersion())));
  }

  /** Two row deltas, each of a row and of an equality delete that hides its older version. */
  private static void deletesOfTheSameCommit(ReportedCase reported, CaseRun run)
      throws IOException {
    Table table = create(run, reported.schema(), PartitionSpec.unpartitioned());
    List<JsonNode> rows = setupRows(reported);
    table.newAppend().appendFile(file(table, reported, rows.subList(0, 2))).commit();
    for (JsonNode row : rows.subList(2, 4)) {
      table
          .newRowDelta()
          .addRows(file(table, reported, List.of(row)))
          .addDeletes(equal(table, List.of("id"), Map.of("id", row.get("id").asLong())))
          .commit();
    }
  }

  private static void deletesByDroppedColumn(ReportedCase reported, CaseRun run)
      throws IOException {
    Schema first =
        new Schema(
            List.of(
                Types.NestedField.required(1, "id", Types.LongType.get()),
                Types.NestedField.optional(2, "legacy", Types.StringType.get()),
                Types.NestedField.optional(3, "name", Types.StringType.get())),
            java.util.Set.of(1));
    Table table = create(run, first, PartitionSpec.unpartitioned());
    List<Map<String, Object>> rows = new ArrayList<>();
    for (JsonNode row : setupRows(reported)) {
      rows.add(
          Map.of(
              "id", row.get("id").asLong(),
              "legacy", "L" + row.get("id"),
              "name", row.get("name").asText()));
    }
    table.newAppend().appendFile(IndexFixture.writeRows(table, rows)).commit();
    IndexFixture.deleteEqual(table, Map.of("legacy", "L2"));
    table.updateSchema().deleteColumn("legacy").commit();
  }

  /** The delete names its columns in the order of the key, and field ids have a gap. */
  private static void deletesInTheOrderOfTheKey(ReportedCase reported, CaseRun run)
      throws IOException {
    Schema first =
        new Schema(
            List.of(
                Types.NestedField.optional(1, "payload", Types.StringType.get()),
                Types.NestedField.optional(2, "gone", Types.StringType.get()),
                Types.NestedField.required(3, "id", Types.StringType.get()),
                Types.NestedField.required(4, "part", Types.StringType.get())),
            java.util.Set.of(3, 4));
    Table table = create(run, first, PartitionSpec.unpartitioned());
    table.updateSchema().deleteColumn("gone").commit();
    table.newAppend().appendFile(file(table, reported, setupRows(reported))).commit();
    table
        .newRowDelta()
        .addDeletes(equal(table, reported.key(), Map.of("part", "2022", "id", "x1")))
        .commit();
  }

  private static List<JsonNode> setupRows(ReportedCase reported) {
    return ReportedCase.items(reported.text().get("setup").get("rows"));
  }

  private static DataFile file(Table table, ReportedCase reported, List<JsonNode> rows)
      throws IOException {
    List<Map<String, Object>> values = new ArrayList<>();
    for (JsonNode row : rows) {
      Map<String, Object> copy = new TreeMap<>();
      reported
          .columns()
          .forEach((name, type) -> copy.put(name, CaseValues.parsed(row.get(name), type)));
      values.add(copy);
    }
    return IndexFixture.writeRows(table, values);
  }

  private static DeleteFile equal(Table table, List<String> columns, Map<String, Object> values)
      throws IOException {
    Schema schema =
        new Schema(columns.stream().map(name -> table.schema().findField(name)).toList());
    int[] ids = schema.columns().stream().mapToInt(Types.NestedField::fieldId).toArray();
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(ids)
            .equalityDeleteRowSchema(schema)
            .build()
            .newEqualityDeleteWriter(
                OutputFileFactory.builderFor(table, 0, 0)
                    .operationId(UUID.randomUUID().toString())
                    .format(FileFormat.PARQUET)
                    .build()
                    .newOutputFile(),
                PartitionSpec.unpartitioned(),
                null);
    try (writer) {
      writer.write(GenericRecord.create(schema).copy(values));
    }
    return writer.toDeleteFile();
  }
}
