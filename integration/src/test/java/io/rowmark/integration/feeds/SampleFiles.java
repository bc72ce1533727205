package io.rowmark.integration.feeds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;

/** Lands the inputs of a case: text as it is, Avro and Parquet files made of records and schema. */
final class SampleFiles {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> OUR_OWN =
      Set.of("expected.json", "rowmark.conf", "gap.txt", "differences.json");

  private final Sample sample;
  private final Path landing;

  SampleFiles(Sample sample, Path landing) {
    this.sample = sample;
    this.landing = landing;
  }

  /** Lands all files of the case, side files too, below the folder {@code in}. */
  void land() throws IOException {
    try (Stream<Path> files = Files.walk(sample.folder())) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = sample.folder().relativize(file).toString();
        if (!OUR_OWN.contains(name) && !name.startsWith("schemas/") && !name.endsWith(".avsc")) {
          land(file, landing.resolve("in").resolve(name));
        }
      }
    }
  }

  private void land(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    String name = to.getFileName().toString();
    if (name.contains(".records.json")) {
      Path binary = to.resolveSibling(name.replaceFirst("\\.records\\.jsonl?$", ""));
      boolean avro = sample.name().contains("-avro/");
      List<JsonNode> records = records(from);
      Schema schema = schema(records);
      if (avro) {
        writeAvro(binary, schema, records);
      } else {
        ParquetFile.write(
            name.startsWith("part-") ? binary.resolveSibling(name + ".parquet") : binary,
            schema,
            records.stream().map(record -> AvroValue.record(schema, record, base64())).toList());
      }
    } else {
      Files.copy(from, to);
    }
  }

  private boolean base64() {
    return sample.name().startsWith("debezium");
  }

  private static List<JsonNode> records(Path file) throws IOException {
    List<JsonNode> records = new ArrayList<>();
    if (file.toString().endsWith("l")) {
      for (String line : Files.readAllLines(file)) {
        records.add(JSON.readTree(line));
      }
    } else {
      JSON.readTree(file.toFile()).forEach(records::add);
    }
    return records;
  }

  /** The schema beside the records, without fields that none of them has; or made up of them. */
  private Schema schema(List<JsonNode> records) throws IOException {
    Set<String> names = new TreeSet<>();
    records.forEach(record -> record.fieldNames().forEachRemaining(names::add));
    try (Stream<Path> files = Files.list(sample.folder())) {
      Path avsc = files.filter(file -> file.toString().endsWith(".avsc")).findFirst().orElse(null);
      if (avsc != null) {
        Schema whole = new Schema.Parser().setValidateDefaults(false).parse(Files.readString(avsc));
        List<Schema.Field> kept = new ArrayList<>();
        for (Schema.Field field : whole.getFields()) {
          if (names.contains(field.name())) {
            kept.add(new Schema.Field(field, field.schema()));
          }
        }
        return kept.size() == whole.getFields().size()
            ? whole
            : Schema.createRecord(whole.getName(), null, whole.getNamespace(), false, kept);
      }
    }
    SchemaBuilder.FieldAssembler<Schema> fields = SchemaBuilder.record("Row").fields();
    for (String name : names) {
      String type = sample.columns().getOrDefault(name, "string");
      switch (type) {
        case "long" -> fields.optionalLong(name);
        case "int" -> fields.optionalInt(name);
        default -> fields.optionalString(name);
      }
    }
    return fields.endRecord();
  }

  private void writeAvro(Path file, Schema schema, List<JsonNode> records) throws IOException {
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, file.toFile());
      for (JsonNode record : records) {
        writer.append(AvroValue.record(schema, record, base64()));
      }
    }
  }
}
