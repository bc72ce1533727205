package io.rowmark.integration.cut;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files without any change, for tables that do not exist yet. */
class TestControlRecords {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"atomic", "ordered"})
  void aFileOfControlRecordsIsReadOnceThoughNothingTellsTheColumns(String mode) throws IOException {
    LocalSpark.session();
    Path topic = folder.resolve("landing/shop.public.parents");
    Files.createDirectories(topic);
    Files.writeString(topic.resolve("0.json"), "{\"ts_ms\":5}\n{\"ts_ms\":6}\n");
    try (EmbeddedCatalog embedded = EmbeddedCatalog.start(folder.resolve("catalog"), 0)) {
      ShopTables shop =
          new ShopTables(folder, embedded.clientProperties(), "control" + mode, List.of("parents"));
      String settings = "commit.mode = %s\n".formatted(mode);

      assertThat(shop.run(settings, "ingest")).as(shop.said()).isZero();
      assertThat(shop.said()).contains("0 events, 0 rejected, 2 skipped");
      assertThat(shop.ledger("control%s.parents".formatted(mode)))
          .containsExactly("shop.public.parents/0.json ");
      assertThat(shop.run(settings, "ingest")).as(shop.said()).isZero();
      assertThat(shop.said()).contains("no new inputs");

      Files.writeString(
          topic.resolve("1.json"),
          "{\"op\":\"c\",\"before\":null,\"after\":{\"id\":1,\"value\":2},\"source\":{}}\n");
      assertThat(shop.run(settings, "ingest")).as(shop.said()).isZero();
      assertThat(shop.rows()).containsExactly("parents 1 2");
    }
  }
}
