package io.rowmark.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.type.SourceType;
import io.rowmark.merge.spec.TableSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TestSamples {
  private static final Path SAMPLES = Path.of("..", "conf");

  static Stream<Path> samples() throws IOException {
    return Files.list(SAMPLES).filter(file -> file.toString().endsWith(".conf"));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everySampleCanBeRead(Path sample) {
    assertThat(read(sample).pipeline().tables()).isNotEmpty();
  }

  @Test
  void quickstartFeedsTheEightTablesOfTheCapture() {
    List<TableSpec> tables = read(SAMPLES.resolve("quickstart.conf")).pipeline().tables();

    assertThat(tables)
        .extracting(TableSpec::table)
        .containsExactly(
            "shop.customers",
            "shop.order_items",
            "shop.pgbench_accounts",
            "shop.pgbench_branches",
            "shop.pgbench_history",
            "shop.pgbench_tellers",
            "shop.sessions",
            "shop.type_zoo");
    assertThat(tables)
        .filteredOn(table -> table.mode() == TableSpec.Mode.APPEND_ONLY)
        .extracting(TableSpec::table)
        .containsExactly("shop.pgbench_history");
  }

  private static AppConfig read(Path sample) {
    return new AppConfigReader(text -> SourceType.Plain.STRING)
        .read(EffectiveConfig.load(sample, List.of()));
  }
}
