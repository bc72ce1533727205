package io.rowmark.merge.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.Fraction;
import io.rowmark.formats.type.UnavailableValue;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.spec.RecordSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSliceEvents {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "note", Types.StringType.get()));

  @TempDir Path folder;

  private static DecodePlan plan() {
    return new DecodePlan(
        SchemaParser.toJson(SCHEMA),
        Map.of(),
        List.of("id"),
        TableSpec.Mode.KEYED,
        TableSpec.TruncatePolicy.APPLY,
        UnavailableValue.DEBEZIUM,
        new FeedPlan(
            RecordSpec.JSON_LINES,
            EnvelopeLayouts.named("debezium"),
            TableFeed.WHOLE_TOPIC,
            Fraction.REJECT),
        io.rowmark.merge.spec.KeptRows.NONE);
  }

  private static String insert(long id, String note) {
    return "{\"op\":\"c\",\"after\":{\"id\":%d,\"note\":\"%s\"}}".formatted(id, note);
  }

  private Path write(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    if (!name.endsWith(".gz")) {
      return Files.write(file, bytes);
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(bytes);
    }
    return file;
  }

  private Path write(String name, String text) throws IOException {
    return write(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private static Slice whole(Path file) throws IOException {
    return new Slice(
        file.toUri().toString(),
        file.getFileName().toString(),
        0,
        0,
        Files.size(file),
        Slice.Place.RECORD_NUMBER,
        -1);
  }

  private static List<Row> read(Slice... slices) {
    List<Row> rows = new ArrayList<>();
    new SliceEvents(plan(), List.of(slices), new Configuration(), Long.MAX_VALUE)
        .forEachRemaining(rows::add);
    assertThat(rows.get(rows.size() - 1).getByte(0)).isEqualTo(EventRows.SUMMARY);
    return rows.subList(0, rows.size() - 1);
  }

  private static List<Object> ids(List<Row> rows) {
    return rows.stream()
        .filter(row -> row.getByte(0) == EventRows.CHANGE)
        .map(row -> row.getStruct(8).get(0))
        .toList();
  }

  @Test
  void plainAndCompressedFilesReadAlike() throws IOException {
    String text = insert(1, "a") + "\n" + insert(2, "\u00df\ud83d\ude00") + "\n";
    for (String name : List.of("f.json", "f.json.gz")) {
      List<Row> rows = read(whole(write(name, text)));
      assertThat(ids(rows)).containsExactly(1L, 2L);
      assertThat(rows.get(1).getStruct(8).getString(1)).isEqualTo("\u00df\ud83d\ude00");
      assertThat(rows).extracting(row -> row.getLong(4)).containsExactly(1L, 2L);
    }
  }

  @Test
  void lineEndsBlankLinesAndAMissingLastLineEndDoNotMatter() throws IOException {
    String text = insert(1, "a") + "\r\n\r\n  \n" + insert(2, "b") + "\nnull\n" + insert(3, "c");
    List<Row> rows = read(whole(write("f.json", text)));
    assertThat(ids(rows)).containsExactly(1L, 2L, 3L);
    assertThat(rows).extracting(row -> row.getLong(4)).containsExactly(1L, 4L, 6L);
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstRecord() throws IOException {
    assertThat(ids(read(whole(write("f.json", "\ufeff" + insert(1, "a") + "\n")))))
        .containsExactly(1L);
  }

  @Test
  void bytesThatAreNoUtf8AreRejectedAndTheRestIsRead() throws IOException {
    byte[] bad = (insert(1, "x") + "\n" + insert(2, "b") + "\n").getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bad.length; i++) {
      if (bad[i] == 'x') {
        bad[i] = (byte) 0xff;
      }
    }
    List<Row> rows = read(whole(write("f.json", bad)));
    assertThat(rows.get(0).getByte(0)).isEqualTo(EventRows.REJECT);
    assertThat(rows.get(0).getStruct(6).getString(0)).isEqualTo("malformed-json");
    assertThat(ids(rows)).containsExactly(2L);
  }

  @Test
  void aPlainFileReadInPartsGivesEachRecordOnceAtItsByte() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      text.append(insert(i, "n".repeat(i % 7))).append('\n');
    }
    Path file = write("f.json", text.toString());
    List<Row> uncut = read(part(file, 0, Files.size(file)));
    for (long size : new long[] {1, 7, 37, 40, 41, 1000}) {
      List<Slice> parts = new ArrayList<>();
      for (long at = 0; at < Files.size(file); at += size) {
        parts.add(part(file, at, Math.min(size, Files.size(file) - at)));
      }
      assertThat(read(parts.toArray(Slice[]::new))).as("parts of %d bytes", size).isEqualTo(uncut);
    }
    assertThat(ids(uncut)).hasSize(50);
  }

  private static Slice part(Path file, long start, long length) {
    return new Slice(file.toUri().toString(), "f.json", 0, start, length, Slice.Place.BYTE, -1);
  }

  @Test
  void aCutOffCompressedFileNamesItself() throws IOException {
    Path file = write("f.json.gz", (insert(1, "a") + "\n").repeat(1000));
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    Slice slice = whole(file);
    assertThatThrownBy(() -> read(slice))
        .isInstanceOf(RowmarkException.class)
        .hasMessageStartingWith("File 'f.json.gz' cannot be read to its end (");
  }
}
