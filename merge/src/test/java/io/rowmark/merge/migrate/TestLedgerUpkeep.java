package io.rowmark.merge.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerEntry.Status;
import io.rowmark.merge.ledger.LedgerWriter;
import io.rowmark.merge.source.InputFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestLedgerUpkeep {
  private static final TableIdentifier NAME = TableIdentifier.of("shop", "ledger");
  private static final Instant LANDED = Instant.parse("2026-11-30T08:00:00Z");

  @TempDir Path warehouse;
  private Catalog catalog;

  @BeforeEach
  void open() {
    catalog = LocalSpark.hadoopCatalog(warehouse).iceberg();
  }

  private void append(int batches) {
    IntStream.range(0, batches)
        .forEach(
            batch ->
                new LedgerWriter(catalog, NAME)
                    .append(
                        "b" + batch,
                        List.of(
                            new LedgerEntry(
                                "b" + batch,
                                "shop.orders",
                                "file" + batch,
                                10,
                                LANDED,
                                5,
                                0,
                                null,
                                null,
                                Status.DONE,
                                7L,
                                null,
                                null,
                                LANDED,
                                List.of()))));
  }

  private int files() {
    Table table = catalog.loadTable(NAME);
    return LiveFiles.at(table, table.currentSnapshot()).all().size();
  }

  @Test
  void manyFilesBecomeOneAndNothingIsForgotten() {
    Ledger.open(catalog, NAME);
    append(LedgerUpkeep.MERGED_FROM);
    assertThat(files()).isEqualTo(LedgerUpkeep.MERGED_FROM);
    new LedgerUpkeep(LocalSpark.session()).mergeFiles(Ledger.open(catalog, NAME).table());
    assertThat(files()).isEqualTo(1);
    Ledger ledger = Ledger.open(catalog, NAME);
    for (int batch = 0; batch < LedgerUpkeep.MERGED_FROM; batch++) {
      String name = "file" + batch;
      assertThat(ledger.isNew("shop.orders", new InputFile("/landing/" + name, name, 10, LANDED)))
          .as(name)
          .isFalse();
    }
    assertThat(ledger.isNew("shop.orders", new InputFile("/landing/other", "other", 10, LANDED)))
        .isTrue();
  }

  @Test
  void fewFilesStay() {
    Ledger.open(catalog, NAME);
    append(3);
    new LedgerUpkeep(LocalSpark.session()).mergeFiles(Ledger.open(catalog, NAME).table());
    assertThat(files()).isEqualTo(3);
  }
}
