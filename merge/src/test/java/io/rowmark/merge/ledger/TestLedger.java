package io.rowmark.merge.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.ledger.LedgerEntry.Status;
import io.rowmark.merge.source.InputFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestLedger {
  private static final TableIdentifier NAME = TableIdentifier.of("shop", "ledger");
  private static final Instant LANDED = Instant.parse("2026-11-30T08:00:00Z");

  @TempDir Path warehouse;
  private Catalog catalog;

  @BeforeEach
  void open() {
    HadoopCatalog hadoop = new HadoopCatalog();
    hadoop.setConf(new Configuration());
    hadoop.initialize("test", Map.of("warehouse", warehouse.toUri().toString()));
    catalog = hadoop;
  }

  private static LedgerEntry entry(String input, Status status) {
    return new LedgerEntry(
        "b1",
        "shop.orders",
        input,
        10,
        LANDED,
        5,
        1,
        new byte[] {1, 2},
        null,
        status,
        7L,
        null,
        status == Status.INTENT ? "{}" : null,
        LANDED,
        List.of());
  }

  private static InputFile file(String name, long size) {
    return new InputFile("/landing/" + name, name, size, LANDED);
  }

  private void append(LedgerEntry... entries) {
    new LedgerWriter(catalog, NAME).append("b1", List.of(entries));
  }

  private Ledger ledger() {
    return Ledger.open(catalog, NAME);
  }

  @Test
  void aNewLedgerIsEmptyAndEveryInputNew() {
    assertThat(ledger().isNew("shop.orders", file("a", 10))).isTrue();
    assertThat(ledger().openIntents()).isEmpty();
  }

  @Test
  void anInputThatIsDoneIsNotReadAgain() {
    ledger();
    append(entry("a", Status.DONE));
    assertThat(ledger().isNew("shop.orders", file("a", 10))).isFalse();
    assertThat(ledger().isNew("shop.orders", file("b", 10))).isTrue();
    assertThat(ledger().isNew("shop.customers", file("a", 10))).isTrue();
  }

  @Test
  void theLatestStatusWinsWhateverTheClocksSay() {
    ledger();
    append(entry("a", Status.INTENT));
    assertThat(ledger().openIntents()).hasSize(1);
    assertThat(ledger().openIntents().get(0).stagedIndex()).isEqualTo("{}");
    append(entry("a", Status.ABANDONED));
    assertThat(ledger().openIntents()).isEmpty();
    assertThat(ledger().isNew("shop.orders", file("a", 10))).isTrue();
    append(entry("a", Status.INTENT));
    append(entry("a", Status.DONE));
    assertThat(ledger().openIntents()).isEmpty();
    assertThat(ledger().isNew("shop.orders", file("a", 10))).isFalse();
  }

  @Test
  void whatIsDoneStaysDoneWhateverBecomesOfIntentsAfterIt() {
    ledger();
    append(entry("a", Status.DONE));
    append(entry("a", Status.INTENT));
    assertThat(ledger().openIntents()).hasSize(1);
    assertThat(ledger().isNew("shop.orders", file("a", 10))).isFalse();
    append(entry("a", Status.ABANDONED));
    assertThat(ledger().openIntents()).isEmpty();
    assertThat(ledger().isNew("shop.orders", file("a", 10))).isFalse();
  }

  @Test
  void whatIsPassedOverIsNotNewAsLongAsItsSizeIsTheSame() {
    ledger();
    append(entry("a", Status.PASSED_OVER));
    assertThat(ledger().isNew("shop.orders", file("a", 10))).isFalse();
    assertThat(ledger().isNew("shop.orders", file("a", 11))).isTrue();
    assertThat(ledger().history()).hasSize(1);
  }

  @Test
  void whatIsPassedOverMayBeTakenByAnotherRunAllTheSame() {
    ledger();
    append(entry("a", Status.INTENT));
    append(entry("a", Status.PASSED_OVER));
    assertThat(ledger().openIntents()).as("recovery finds it").hasSize(1);
    append(entry("a", Status.DONE));
    append(entry("a", Status.PASSED_OVER));
    assertThat(ledger().isNew("shop.orders", file("a", 10))).isFalse();
    assertThatThrownBy(() -> ledger().isNew("shop.orders", file("a", 11)))
        .isInstanceOf(RowmarkException.class);
  }

  @Test
  void anInputWithAnotherModificationTimeIsTouched() {
    ledger();
    append(entry("a", Status.DONE));
    InputFile later = new InputFile("/landing/a", "a", 10, LANDED.plusMillis(1));
    assertThat(ledger().isTouched("shop.orders", file("a", 10))).isFalse();
    assertThat(ledger().isTouched("shop.orders", later)).isTrue();
    assertThat(ledger().isTouched("shop.customers", later)).isFalse();
  }

  @Test
  void aFileThatChangedAfterItWentInIsRefused() {
    ledger();
    append(entry("a", Status.DONE));
    assertThatThrownBy(() -> ledger().isNew("shop.orders", file("a", 11)))
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "File 'a' has 11 bytes, and had 10 when batch b1 took it into shop.orders. A landed file must not change. Land the new content under a new name, or restore the file.");
  }

  @Test
  void aTableOfOtherColumnsIsNoLedger() {
    catalog.createTable(
        NAME,
        new org.apache.iceberg.Schema(Types.NestedField.required(1, "id", Types.LongType.get())));
    assertThatThrownBy(this::ledger)
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "Table shop.ledger exists and is not a ledger. Choose another name in ledger.table.");
  }
}
