package io.rowmark.app.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.AppConfigReader;
import io.rowmark.app.config.EffectiveConfig;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.merge.spec.CatalogSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSparkSessions {
  private Path dir = Path.of("");

  @BeforeEach
  void workIn(@TempDir Path folder) {
    dir = folder;
  }

  @AfterEach
  void stopWhatIsLeft() {
    if (SparkSession.getDefaultSession().isDefined()) {
      SparkSession.getDefaultSession().get().stop();
    }
  }

  private AppConfig config(String... more) throws IOException {
    Path file = dir.resolve("shop.conf");
    Files.writeString(
        file,
        """
        pipeline = shop
        catalog { name = lake, properties { type = hadoop, warehouse = "%s" } }
        source.path = "/landing"
        ledger.table = "shop.ledger"
        table-defaults.readers = [spark]
        tables { "shop.customers" { topic = customers, key = [id] } }
        spark.conf { spark.sql.shuffle.partitions = 3, spark.ui.enabled = false, spark.master = "local[1]" }
        """
                .formatted(dir.resolve("warehouse"))
            + String.join("\n", more));
    return new AppConfigReader(SourceTypes::parse).read(EffectiveConfig.load(file, List.of()));
  }

  @Test
  void sessionAndCatalogSeeTheSameTables() throws IOException {
    AppConfig config = config();
    try (SparkSessions spark = SparkSessions.open(config, SparkSessions.WebPage.AS_CONFIGURED)) {
      SparkSession session = spark.session();
      session.sql("create table lake.shop.t (id bigint) using iceberg");
      Catalog catalog = Catalogs.build(config.pipeline().catalog(), session);

      assertThat(catalog.listTables(Namespace.of("shop")))
          .containsExactly(TableIdentifier.of("shop", "t"));
      assertThat(session.conf().get("spark.sql.session.timeZone")).isEqualTo("UTC");
      assertThat(session.conf().get("spark.sql.datetime.java8API.enabled")).isEqualTo("true");
      assertThat(session.conf().get("spark.sql.catalog.lake.cache-enabled")).isEqualTo("false");
      assertThat(session.conf().get("spark.sql.shuffle.partitions")).isEqualTo("3");
      assertThat(session.sparkContext().master()).isEqualTo("local[1]");
      assertThat(spark.ownership()).isEqualTo(SparkSessions.Ownership.MADE_HERE);
    }
    assertThat(SparkSession.getDefaultSession().isDefined()).isFalse();
  }

  @Test
  void deltaTablesNeedDeltaOnTheClassPath() throws IOException {
    AppConfig config =
        config(
            "source { kind = delta, path = null }",
            "tables.\"shop.customers\".topic = \"/lake/customers\"");

    assertThatThrownBy(() -> SparkSessions.open(config, SparkSessions.WebPage.OFF))
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "source.kind is delta, and Delta Lake is not on the class path. Start with --packages"
                + " io.delta:delta-spark_4.1_2.13:4.4.0, or with the build for your Spark.");
  }

  @Test
  void sessionThatWasThereIsUsedAndLeftRunning() throws IOException {
    SparkSession before = local("false");
    try (SparkSessions spark = SparkSessions.open(config(), SparkSessions.WebPage.AS_CONFIGURED)) {
      assertThat(spark.ownership()).isEqualTo(SparkSessions.Ownership.FOUND);
      assertThat(spark.session().sparkContext()).isSameAs(before.sparkContext());
    }

    assertThat(before.sparkContext().isStopped()).isFalse();
    assertThat(before.range(3).count()).isEqualTo(3);
  }

  @Test
  void speculationIsRefused() throws IOException {
    local("true");
    AppConfig config = config();

    assertThatThrownBy(() -> SparkSessions.open(config, SparkSessions.WebPage.OFF))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("spark.speculation = true")
        .hasMessageContaining("--conf spark.speculation=false");
  }

  @Test
  void wrongAddressIsToldSoonAndNamed() throws IOException {
    SparkSession session = local("false");
    CatalogSpec nobody = rest("http://user:hunter@127.0.0.1:1/catalog?token=hunter");
    CatalogSpec unknownHost = rest("http://catalog.invalid/api");
    long start = System.nanoTime();

    assertThatThrownBy(() -> Catalogs.build(nobody, session))
        .isInstanceOfSatisfying(
            RowmarkException.class, error -> assertThat(error.retryHelps()).isTrue())
        .hasMessageStartingWith(
            "The catalog 'lake' at http://******@127.0.0.1:1/catalog?token=****** cannot be used:")
        .hasMessageNotContaining("hunter")
        .hasMessageContaining("Check catalog.properties");
    assertThatThrownBy(() -> Catalogs.build(unknownHost, session))
        .hasMessageStartingWith("The catalog 'lake' at http://catalog.invalid/api cannot be used:");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(40));
  }

  @Test
  void missingCatalogClassIsNamed() {
    CatalogSpec spec = new CatalogSpec("lake", Map.of("catalog-impl", "com.example.Missing"));
    SparkSession session = local("false");

    assertThatThrownBy(() -> Catalogs.build(spec, session))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("com.example.Missing")
        .hasMessageContaining("spark-submit --packages");
  }

  private static CatalogSpec rest(String uri) {
    return new CatalogSpec(
        "lake", Map.of("type", "rest", "uri", uri, "rest.client.connection-timeout-ms", "10000"));
  }

  private static SparkSession local(String speculation) {
    return SparkSession.builder()
        .master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.speculation", speculation)
        .getOrCreate();
  }
}
