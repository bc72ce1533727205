package io.rowmark.merge.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.SourceType.Plain;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestKeyFile {
  private static final KeySpec ID_AND_TOWN =
      KeySpec.of(
          "t",
          new Schema(
              NestedField.required(1, "id", Types.LongType.get()),
              NestedField.required(2, "town", Types.StringType.get()),
              NestedField.optional(3, "amount", Types.LongType.get())),
          List.of("id", "town"));

  @TempDir private Path folder;

  private SortedKeys read(KeySpec key, String name, String... lines) throws IOException {
    Path file = Files.write(folder.resolve(name), List.of(lines));
    return KeyFile.read(file.toString(), key, Map.of(), new Configuration());
  }

  private static KeySpec of(Type type) {
    return KeySpec.of("t", new Schema(NestedField.required(7, "k", type)), List.of("k"));
  }

  private void refuses(String name, List<String> lines, String... message) throws IOException {
    assertThatThrownBy(() -> read(ID_AND_TOWN, name, lines.toArray(String[]::new)))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContainingAll(message)
        .message()
        .doesNotContain("SECRET");
  }

  @Test
  void keysAreReadInAnyOrderOfColumnsAndEachOnce() throws IOException {
    SortedKeys keys =
        read(ID_AND_TOWN, "k.csv", "town,id", "B,2", "\"a, \"\"b\"\"\",1", "", "B,2", "\"\",3");
    assertThat(keys.size()).isEqualTo(3);
    assertThat(keys.value(0, 0)).isEqualTo(1L);
    assertThat(keys.value(0, 1)).isEqualTo("a, \"b\"".getBytes());
    assertThat(keys.value(2, 1)).isEqualTo(new byte[0]);
    SortedKeys same =
        read(
            ID_AND_TOWN,
            "k.jsonl",
            "{\"id\":2,\"town\":\"B\"}",
            "",
            "{\"town\":\"x\",\"id\":\"1\"}");
    assertThat(same.size()).isEqualTo(2);
    assertThat(same.value(1, 1)).isEqualTo("B".getBytes());
  }

  @Test
  void compressedFilesAreRead() throws IOException {
    Path file = folder.resolve("k.csv.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("id,town\n1,a\n2,b\n".getBytes());
    }
    assertThat(KeyFile.read(file.toString(), ID_AND_TOWN, Map.of(), new Configuration()).size())
        .isEqualTo(2);
  }

  private void reads(Type type, String text, Object value) throws IOException {
    Object form = read(of(type), "k.csv", "k", text).value(0, 0);
    assertThat(form).as("%s as %s", text, type).isEqualTo(KeyForm.encode(type, value));
    assertThat(read(of(type), "k.json", "{\"k\":\"" + text + "\"}").value(0, 0)).isEqualTo(form);
  }

  @Test
  void valuesOfEveryKeyTypeAreReadFromText() throws IOException {
    UUID uuid = UUID.fromString("f79c3e09-677c-4bbd-a479-3f349cb785e7");
    reads(Types.IntegerType.get(), "-7", -7);
    reads(Types.BooleanType.get(), "true", true);
    reads(Types.DecimalType.of(9, 2), "12.5", new BigDecimal("12.50"));
    reads(Types.DecimalType.of(30, 2), "-12.50", new BigDecimal("-12.50"));
    reads(Types.DateType.get(), "1970-01-03", 2);
    reads(Types.TimestampType.withoutZone(), "1970-01-01 00:00:01.5", 1_500_000L);
    reads(Types.TimestampType.withZone(), "1970-01-01T02:00:00+02:00", 0L);
    reads(Types.UUIDType.get(), uuid.toString(), uuid);
    reads(Types.BinaryType.get(), "AQI=", new byte[] {1, 2});
    reads(Types.FixedType.ofLength(2), "AQI=", new byte[] {1, 2});
    reads(Types.StringType.get(), " a ", " a ");
  }

  @Test
  void numbersAreReadAsThePipelineDeclaresThem() throws IOException {
    Path file = Files.writeString(folder.resolve("k.json"), "{\"k\":2}\n");
    SortedKeys keys =
        KeyFile.read(
            file.toString(),
            of(Types.DateType.get()),
            Map.of("k", new ColumnDeclaration(Plain.DATE, null)),
            new Configuration());
    assertThat(keys.value(0, 0)).isEqualTo(2L);
  }

  @Test
  void aLineThatIsNoKeyIsToldByItsPlaceAndNotByItsValue() throws IOException {
    refuses(
        "a.csv",
        List.of("id,town", "1,x", "SECRET,y"),
        "a.csv', line 3, column 'id': text that is no decimal number");
    refuses("b.csv", List.of("id,town", "1,"), "line 2, column 'town'", "the value is null");
    refuses("c.csv", List.of("id", "1"), "line 2, column 'town'", "is missing", "[id, town]");
    refuses(
        "d.csv",
        List.of("id,town,amount", "1,SECRET,2"),
        "line 2, column 'amount'",
        "the key has no such column");
    refuses("e.csv", List.of("id,town", "1,SECRET,2"), "line 2", "3 fields where 2 are expected");
    refuses("f.csv", List.of("id,town,id", "1,SECRET,2"), "the head of the file names 'id' twice");
    refuses("g.csv", List.of("id,town", "1,\"two", "lines\"", "x,SECRET"), "line 4, column 'id'");
    refuses(
        "h.json",
        List.of("{\"id\":1,\"town\":\"a\"}", "{\"id\":1.5,\"town\":\"SECRET\"}"),
        "line 2, column 'id'");
    refuses("i.json", List.of("", "{\"id\":1,\"town\":null}"), "line 2, column 'town'");
    refuses("j.json", List.of("{\"id\":1,\"town\":\"SECRET\""), "line 1", "no JSON");
    refuses("k.json", List.of("null"), "line 1", "a null and no key");
    refuses("l.json", List.of("{\"id\":1,\"id\":2,\"town\":\"SECRET\"}"), "line 1", "given twice");
    refuses("m.csv", List.of("id,town"), "holds no key");
    refuses("n.txt", List.of("1"), "ending", ".csv");
    assertThatThrownBy(
            () ->
                KeyFile.read(
                    folder.resolve("none.csv").toString(),
                    ID_AND_TOWN,
                    Map.of(),
                    new Configuration()))
        .hasMessageContaining("cannot be opened (FileNotFoundException)");
  }
}
