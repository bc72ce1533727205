package io.rowmark.integration.bench;

import io.rowmark.integration.feeds.ParquetFile;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;

/** A way of writing the events. */
enum EventFormat {
  JSON("json", "json", "JSON"),
  JSON_GZIP("json", "json.gz", "JSON, gzip"),
  JSON_WITH_SCHEMAS_GZIP("json", "json.gz", "JSON with schemas, gzip"),
  AVRO("avro", "avro", "Avro, deflate"),
  PARQUET("parquet", "parquet", "Parquet");

  private final String setting;
  private final String ending;
  private final String label;

  EventFormat(String setting, String ending, String label) {
    this.setting = setting;
    this.ending = ending;
    this.label = label;
  }

  /** Value of {@code source.format}. */
  String setting() {
    return setting;
  }

  /** For people. */
  String label() {
    return label;
  }

  /** Writes a file of the topic. */
  void write(Path topic, long offset, int count, OrderEvents events) throws IOException {
    Files.createDirectories(topic);
    Path file = topic.resolve("%s+0+%010d.%s".formatted(topic.getFileName(), offset, ending));
    switch (this) {
      case JSON -> {
        try (Writer out = Files.newBufferedWriter(file)) {
          lines(out, count, events);
        }
      }
      case JSON_GZIP, JSON_WITH_SCHEMAS_GZIP -> {
        try (Writer out =
            new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(file), 1 << 16),
                StandardCharsets.UTF_8)) {
          lines(out, count, events);
        }
      }
      case AVRO -> {
        try (DataFileWriter<GenericRecord> out =
            new DataFileWriter<>(new GenericDatumWriter<>(OrderEvents.ENVELOPE))) {
          out.setCodec(CodecFactory.deflateCodec(CodecFactory.DEFAULT_DEFLATE_LEVEL));
          out.create(OrderEvents.ENVELOPE, file.toFile());
          for (int i = 0; i < count; i++) {
            out.append(events.next());
          }
        }
      }
      case PARQUET -> {
        List<GenericRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          records.add(events.next());
        }
        ParquetFile.write(file, OrderEvents.ENVELOPE, records);
      }
    }
  }

  private void lines(Writer out, int count, OrderEvents events) throws IOException {
    for (int i = 0; i < count; i++) {
      if (this == JSON_WITH_SCHEMAS_GZIP) {
        out.write("{\"schema\":");
        out.write(OrderEvents.CONNECT_SCHEMA);
        out.write(",\"payload\":");
      }
      OrderEvents.json(events.next(), out);
      if (this == JSON_WITH_SCHEMAS_GZIP) {
        out.write("}");
      }
      out.write("\n");
    }
  }
}
