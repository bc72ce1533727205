package io.rowmark.merge.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.RecordSpec;
import io.rowmark.merge.spec.RecordSpec.Csv;
import io.rowmark.merge.spec.RecordSpec.Format;
import io.rowmark.merge.spec.RecordSpec.Header;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestRecordCount {
  private static final long ALL = Long.MAX_VALUE;

  @TempDir private Path folder;

  private static long count(Format format, Path file, long enough) {
    Configuration hadoop = new Configuration();
    RecordSpec spec = new RecordSpec(format, new Csv(Header.FIRST_LINE, ',', '"', "NULL"), null);
    RecordReaders readers =
        new RecordReaders(spec, EnvelopeLayouts.named("flat").images(), List.of(), hadoop);
    Slice slice =
        new Slice(
            file.toUri().toString(),
            "t/" + file.getFileName(),
            0,
            0,
            file.toFile().length(),
            Slice.Place.RECORD_NUMBER,
            -1);
    return new RecordCount(readers, hadoop).upTo(slice, enough);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void linesOfJsonAreCountedAsFarAsNeeded() throws IOException {
    Path file = write("a.json", "{\"a\":1}\nno json\n{\"a\":3}\n");

    assertThat(count(Format.JSON, file, ALL)).isEqualTo(3);
    assertThat(count(Format.JSON, file, 2)).isEqualTo(2);
  }

  @Test
  void compressedLinesAreCounted() throws IOException {
    Path file = folder.resolve("a.json.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("{}\n{}\n{}\n{}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    assertThat(count(Format.JSON, file, ALL)).isEqualTo(4);
  }

  @Test
  void documentsAreCountedWhereverTheirLinesEnd() throws IOException {
    Path file = write("a.json", "[{\"a\":\n1},{\"a\":{\"b\":2}}]{}");

    assertThat(count(Format.JSON_DOCUMENTS, file, ALL)).isEqualTo(3);
  }

  @Test
  void lineEndsInQuotesEndNoRecordOfCsvAndTheHeaderIsNone() throws IOException {
    Path file = write("a.csv", "op,note\nI,\"two\nlines\"\nI,\"\"\"\"\n");

    assertThat(count(Format.CSV, file, ALL)).isEqualTo(2);
  }

  @Test
  void avroIsCountedByItsBlocks() throws IOException {
    Schema schema = SchemaBuilder.record("r").fields().requiredLong("id").endRecord();
    Path file = folder.resolve("a.avro");
    try (DataFileWriter<Object> out = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      out.create(schema, file.toFile());
      for (long id = 0; id < 50; id++) {
        out.append(new GenericRecordBuilder(schema).set("id", id).build());
        if (id % 20 == 19) {
          out.sync();
        }
      }
    }

    assertThat(count(Format.AVRO, file, ALL)).isEqualTo(50);
    assertThat(count(Format.AVRO, file, 5)).as("one block is enough").isEqualTo(20);
  }

  @Test
  void parquetIsCountedByItsFooter() throws IOException {
    MessageType type = MessageTypeParser.parseMessageType("message m { required int64 id; }");
    Path file = folder.resolve("a.parquet");
    try (ParquetWriter<Group> out =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
            .withType(type)
            .build()) {
      for (long id = 0; id < 7; id++) {
        Group row = new SimpleGroup(type);
        row.add("id", id);
        out.write(row);
      }
    }

    assertThat(count(Format.PARQUET, file, 1)).isEqualTo(7);
  }

  @Test
  void aFileThatIsOfAnotherFormatIsNamed() throws IOException {
    Path file = write("a.parquet", "this is no Parquet at all");

    for (Format format : List.of(Format.PARQUET, Format.AVRO)) {
      assertThatThrownBy(() -> count(format, file, ALL))
          .isInstanceOf(RowmarkException.class)
          .hasMessageContaining("File 't/a.parquet' cannot be read to its end");
    }
  }
}
