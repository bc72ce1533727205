package io.rowmark.integration.feeds;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/** Writes Parquet as a sink does that maps Avro to it, the Avro schema in the footer. */
public final class ParquetFile {
  private ParquetFile() {}

  public static void write(java.nio.file.Path file, Schema schema, List<GenericRecord> records)
      throws IOException {
    MessageType type = new MessageType(schema.getName(), fields(schema));
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new Path(file.toUri()))
            .withType(type)
            .withExtraMetaData(Map.of("parquet.avro.schema", schema.toString()))
            .build()) {
      for (GenericRecord record : records) {
        SimpleGroup group = new SimpleGroup(type);
        fill(group, record);
        writer.write(group);
      }
    }
    Files.deleteChecksum(file);
  }

  private static List<Type> fields(Schema schema) {
    return schema.getFields().stream().map(field -> type(field.name(), field.schema())).toList();
  }

  private static Type type(String name, Schema schema) {
    boolean optional = schema.isNullable();
    Schema bare = bare(schema);
    Type.Repetition repetition = optional ? Type.Repetition.OPTIONAL : Type.Repetition.REQUIRED;
    String logical = bare.getProp("logicalType");
    return switch (bare.getType()) {
      case RECORD -> new GroupType(repetition, name, fields(bare));
      case INT ->
          "time-millis".equals(logical)
              ? Types.primitive(PrimitiveTypeName.INT32, repetition)
                  .as(LogicalTypeAnnotation.timeType(true, LogicalTypeAnnotation.TimeUnit.MILLIS))
                  .named(name)
              : Types.primitive(PrimitiveTypeName.INT32, repetition).named(name);
      case LONG ->
          "timestamp-micros".equals(logical)
              ? Types.primitive(PrimitiveTypeName.INT64, repetition)
                  .as(
                      LogicalTypeAnnotation.timestampType(
                          true, LogicalTypeAnnotation.TimeUnit.MICROS))
                  .named(name)
              : Types.primitive(PrimitiveTypeName.INT64, repetition).named(name);
      case BYTES ->
          "decimal".equals(logical)
              ? Types.primitive(PrimitiveTypeName.BINARY, repetition)
                  .as(
                      LogicalTypeAnnotation.decimalType(
                          ((Number) bare.getObjectProp("scale")).intValue(),
                          ((Number) bare.getObjectProp("precision")).intValue()))
                  .named(name)
              : Types.primitive(PrimitiveTypeName.BINARY, repetition).named(name);
      case STRING ->
          Types.primitive(PrimitiveTypeName.BINARY, repetition)
              .as(LogicalTypeAnnotation.stringType())
              .named(name);
      default -> throw new IllegalArgumentException("type " + bare.getType());
    };
  }

  private static Schema bare(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream()
            .filter(branch -> branch.getType() != Schema.Type.NULL)
            .findFirst()
            .orElseThrow()
        : schema;
  }

  private static void fill(Group group, GenericRecord record) {
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      if (value instanceof GenericRecord inner) {
        fill(group.addGroup(field.name()), inner);
      } else if (value instanceof Integer number) {
        group.append(field.name(), number);
      } else if (value instanceof Long number) {
        group.append(field.name(), number);
      } else if (value instanceof ByteBuffer bytes) {
        group.append(field.name(), Binary.fromConstantByteBuffer(bytes.duplicate()));
      } else if (value != null) {
        group.append(field.name(), value.toString());
      }
    }
  }

  /** What Hadoop's local file system leaves beside a file. */
  private static final class Files {
    static void deleteChecksum(java.nio.file.Path file) throws IOException {
      java.nio.file.Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    }
  }
}
