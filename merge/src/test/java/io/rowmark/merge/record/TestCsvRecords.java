package io.rowmark.merge.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.change.RowImages;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.RecordSpec.Csv;
import io.rowmark.merge.spec.RecordSpec.Header;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestCsvRecords {
  private static final Slice SLICE =
      new Slice("/f.csv", "f.csv", 0, 0, 1, Slice.Place.RECORD_NUMBER, -1);
  private static final RowImages DMS = EnvelopeLayouts.named("dms").images();
  private static final Csv PLAIN = new Csv(Header.NONE, ',', '"', "NULL");

  private static List<SourceRecord.Fields> read(byte[] bytes, Csv csv, RowImages images) {
    CsvRecords records =
        new CsvRecords(SLICE, new ByteArrayInputStream(bytes), csv, images, List.of("a", "b"));
    List<SourceRecord.Fields> all = new ArrayList<>();
    while (records.next()) {
      all.add((SourceRecord.Fields) records.record());
      assertThat(records.place()).isEqualTo(all.size());
    }
    return all;
  }

  private static List<Map<String, Object>> values(String text, Csv csv) {
    return read(text.getBytes(StandardCharsets.UTF_8), csv, DMS).stream()
        .map(SourceRecord.Fields::values)
        .toList();
  }

  @Test
  void quotesHoldSeparatorsLineEndsAndThemselves() {
    assertThat(values("1,\"x, \"\"y\"\"\r\nz\"\r\n2,\"\"\n", PLAIN))
        .containsExactly(Map.of("a", "1", "b", "x, \"y\"\r\nz"), Map.of("a", "2", "b", ""));
  }

  @Test
  void theNullMarkCountsOutsideOfQuotesOnly() {
    List<Map<String, Object>> rows = values("NULL,\"NULL\"\n", PLAIN);
    assertThat(rows.get(0)).containsEntry("a", null).containsEntry("b", "NULL");
    assertThat(values(",\"\"\n", new Csv(Header.NONE, ',', '"', "")).get(0))
        .containsEntry("a", null)
        .containsEntry("b", "");
  }

  @Test
  void theLastLineMayHaveNoEndAndBlankLinesAreNothing() {
    assertThat(values("1,2\n\n3,4", PLAIN)).hasSize(2);
    assertThat(values("", PLAIN)).isEmpty();
  }

  @Test
  void aHeaderNamesTheFields() {
    assertThat(values("\ufeffOp;id\nI;\ud83d\ude00\n", new Csv(Header.FIRST_LINE, ';', '"', "")))
        .containsExactly(Map.of("Op", "I", "id", "\ud83d\ude00"));
  }

  @Test
  void longerLinesHaveTheLeadingFieldsOfTheEnvelope() {
    assertThat(values("1,2\nU,1,2\n", PLAIN))
        .containsExactly(Map.of("a", "1", "b", "2"), Map.of("Op", "U", "a", "1", "b", "2"));
  }

  @Test
  void aLineOfAnotherWidthSaysSoAndKeepsItsLeadingFields() {
    SourceRecord.Fields wrong =
        read(
                "I,t,s,1\n".getBytes(StandardCharsets.UTF_8),
                PLAIN,
                EnvelopeLayouts.named("dms-transactions").images())
            .get(0);
    assertThat(wrong.values()).containsEntry("TableName", "t");
    assertThat(wrong.defect())
        .isEqualTo(
            new SourceRecord.Broken(
                "column-count", "the record has 4 fields where 5 are expected"));
  }

  @Test
  void aQuoteThatIsNotClosedAndBytesThatAreNoTextNameTheFile() {
    assertThatThrownBy(() -> values("1,\"x\n2,3\n", PLAIN))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("File 'f.csv' cannot be read to its end (a quote is not closed");
    assertThatThrownBy(() -> read(new byte[] {'1', ',', (byte) 0xff, '\n'}, PLAIN, DMS))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("File 'f.csv' cannot be read to its end");
  }
}
