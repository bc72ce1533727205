package io.rowmark.index.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Index files as other engines may rewrite them: other pages, encodings and statistics. */
class TestForeignIndexFiles {
  private static final int ROWS = 1000;
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message index { required int64 id = 1; required binary name (STRING) = 2;"
              + " optional binary data_file (STRING) = 3; optional int64 position = 4; }");

  @TempDir private Path folder;

  private byte[] file(MessageType schema, UnaryOperator<ExampleParquetWriter.Builder> settings)
      throws IOException {
    Path path = Files.createTempDirectory(folder, "file").resolve("index.parquet");
    ExampleParquetWriter.Builder builder =
        ExampleParquetWriter.builder(new LocalOutputFile(path))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .withMinRowCountForPageSizeCheck(1)
            .withPageRowCountLimit(50)
            .withRowGroupRowCountLimit(400);
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    try (ParquetWriter<Group> writer = settings.apply(builder).build()) {
      for (int i = 0; i < ROWS; i++) {
        Group group = groups.newGroup();
        if (i % 10 != 9
            || !schema
                .getType(0)
                .isRepetition(org.apache.parquet.schema.Type.Repetition.OPTIONAL)) {
          group.add("id", (long) (i / 100));
        }
        group.add("name", name(i));
        if (i % 7 != 0) {
          group.add("data_file", "f" + i % 3);
          group.add("position", (long) i);
        }
        writer.write(group);
      }
    }
    return Files.readAllBytes(path);
  }

  /** Names of uneven length, so that pages of bytes are not pages of rows. */
  private static String name(int i) {
    return "n%03d".formatted(i % 100) + "x".repeat(i % 100);
  }

  private static RunsFixture index() {
    return RunsFixture.create(3, Types.LongType.get(), Types.StringType.get());
  }

  private static List<List<Object>> everyThird() {
    List<List<Object>> wanted = new ArrayList<>();
    for (int i = 0; i < ROWS; i += 3) {
      wanted.add(List.of((long) (i / 100), name(i)));
      wanted.add(List.of((long) (i / 100), name(i) + "y"));
    }
    return wanted;
  }

  private static void assertEveryThird(LookupResult result) {
    assertThat(result.hits()).hasSize(334);
    for (IndexHit hit : result.hits()) {
      long row = hit.indexPosition();
      assertThat(row % 3).isZero();
      assertThat(hit.entry().position()).isEqualTo(row % 7 == 0 ? null : row);
      assertThat(hit.entry().dataFile()).isEqualTo(row % 7 == 0 ? null : "f" + row % 3);
    }
  }

  @Test
  void anyEncodingAndCodecIsRead() throws IOException {
    for (WriterVersion version : WriterVersion.values()) {
      for (boolean dictionary : new boolean[] {true, false}) {
        for (CompressionCodecName codec :
            List.of(
                CompressionCodecName.UNCOMPRESSED,
                CompressionCodecName.SNAPPY,
                CompressionCodecName.GZIP,
                CompressionCodecName.ZSTD)) {
          RunsFixture index = index();
          index.adopt(
              file(
                  SCHEMA,
                  settings ->
                      settings
                          .withWriterVersion(version)
                          .withDictionaryEncoding(dictionary)
                          .withCompressionCodec(codec)),
              ROWS);
          assertEveryThird(index.find(index.keys(everyThird())));
        }
      }
    }
  }

  @Test
  void pagesOfDifferentColumnsNeedNotAlign() throws IOException {
    RunsFixture index = index();
    index.adopt(
        file(
            SCHEMA,
            settings ->
                settings
                    .withDictionaryEncoding(false)
                    .withPageRowCountLimit(10_000)
                    .withPageSize(300)),
        ROWS);
    assertEveryThird(index.find(index.keys(everyThird()), new ReadRanges(8, 0)));
  }

  @Test
  void withoutPageIndexTheRowGroupIsRead() throws IOException {
    RunsFixture index = index();
    index.adopt(file(SCHEMA, settings -> settings.withStatisticsEnabled(false)), ROWS);
    LookupResult result = index.find(index.keys(everyThird()), new ReadRanges(8, 0));
    assertEveryThird(result);
    assertThat(result.cost().rowGroups()).isEqualTo(3);
    assertThat(result.cost().keyPages()).isZero();
  }

  @Test
  void aKeyWithoutValueIsNoKey() throws IOException {
    MessageType optional =
        MessageTypeParser.parseMessageType(
            SCHEMA.toString().replace("required int64 id", "optional int64 id"));
    RunsFixture index = index();
    index.adopt(file(optional, settings -> settings), ROWS);
    LookupResult result = index.find(index.keys(everyThird()));
    assertThat(result.hits()).hasSize(334 - 34);
    assertThat(result.hits()).noneMatch(hit -> hit.indexPosition() % 10 == 9);
  }

  @Test
  void aConstantLeadingColumnLeavesTheNextOneToNarrow() throws IOException {
    RunsFixture index = index();
    index.adopt(file(SCHEMA, settings -> settings), ROWS);
    LookupResult result = index.find(index.keys(List.of(List.of(3L, name(72)))));
    assertThat(result.hits()).hasSize(1);
    assertThat(result.cost().keyPages()).isEqualTo(1);
  }

  @Test
  void aFileWithoutKeyColumnIsRefused() throws IOException {
    MessageType other =
        MessageTypeParser.parseMessageType(SCHEMA.toString().replace("id = 1", "id = 11"));
    RunsFixture index = index();
    String path = index.adopt(file(other, settings -> settings), ROWS);
    assertThatThrownBy(() -> index.find(index.keys(everyThird())))
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "Index file '%s' lacks the key column 'k0'. Run 'rowmark index build'."
                .formatted(path));
  }
}
