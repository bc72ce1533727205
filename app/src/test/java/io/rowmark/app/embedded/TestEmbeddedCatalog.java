package io.rowmark.app.embedded;

import static io.rowmark.app.embedded.CatalogClient.INDEX;
import static io.rowmark.app.embedded.CatalogClient.ORDERS;
import static io.rowmark.app.embedded.CatalogClient.SCHEMA;
import static io.rowmark.app.embedded.CatalogClient.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.NullOrder;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortDirection;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestEmbeddedCatalog {
  private Path directory;
  private EmbeddedCatalog server;
  private CatalogClient client;
  private RESTCatalog catalog;

  @BeforeEach
  void start(@TempDir Path given) {
    directory = given;
    server = EmbeddedCatalog.start(directory.resolve("a catalog"), 0);
    client = CatalogClient.of(server);
    catalog = client.catalog();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void namespacesAreCreatedListedAndDropped() {
    catalog.createNamespace(SHOP, properties("owner", "ann"));
    catalog.createNamespace(Namespace.of("shop", "inner part"));

    assertThat(catalog.listNamespaces()).containsExactly(SHOP);
    assertThat(catalog.listNamespaces(SHOP)).containsExactly(Namespace.of("shop", "inner part"));
    assertThat(catalog.namespaceExists(Namespace.of("shop", "inner part"))).isTrue();
    assertThat(catalog.loadNamespaceMetadata(SHOP)).containsEntry("owner", "ann");

    assertThat(catalog.dropNamespace(Namespace.of("shop", "inner part"))).isTrue();
    assertThat(catalog.dropNamespace(SHOP)).isTrue();
    assertThat(catalog.dropNamespace(SHOP)).isFalse();
    assertThat(catalog.namespaceExists(SHOP)).isFalse();
  }

  @Test
  void namespacePropertiesAreSetAndRemoved() {
    catalog.createNamespace(SHOP, properties("owner", "ann"));

    catalog.setProperties(SHOP, properties("tier", "gold", "owner", "bob"));
    assertThat(catalog.loadNamespaceMetadata(SHOP))
        .containsEntry("tier", "gold")
        .containsEntry("owner", "bob");

    catalog.removeProperties(SHOP, new HashSet<>(Set.of("tier")));
    assertThat(catalog.loadNamespaceMetadata(SHOP)).doesNotContainKey("tier");
  }

  @Test
  void namespaceFaultsRaiseTheMatchingExceptions() {
    client.createTwoTables();

    assertThatThrownBy(() -> catalog.createNamespace(SHOP))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("shop");
    assertThatThrownBy(() -> catalog.dropNamespace(SHOP))
        .isInstanceOf(NamespaceNotEmptyException.class)
        .hasMessageContaining("shop is not empty");
    assertThatThrownBy(() -> catalog.loadNamespaceMetadata(Namespace.of("absent")))
        .isInstanceOf(NoSuchNamespaceException.class)
        .hasMessageContaining("absent");
    assertThatThrownBy(() -> catalog.createNamespace(Namespace.of("a.b")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("'a.b' is empty or has a dot in it");
  }

  @Test
  void listsComeInPagesWhenAsked() {
    client.createTwoTables();
    catalog.createNamespace(Namespace.of("other"));
    Map<String, String> properties = new HashMap<>(server.clientProperties());
    properties.put("rest-page-size", "1");

    try (CatalogClient paged =
        new CatalogClient(
            (RESTCatalog) CatalogUtil.buildIcebergCatalog("c", properties, new Configuration()))) {
      assertThat(paged.catalog().listTables(SHOP)).containsExactlyInAnyOrder(ORDERS, INDEX);
      assertThat(paged.catalog().listNamespaces())
          .containsExactlyInAnyOrder(SHOP, Namespace.of("other"));
    }
  }

  @Test
  void tablesKeepSpecSortOrderPropertiesAndFormatVersion() {
    catalog.createNamespace(SHOP);
    catalog
        .buildTable(ORDERS, SCHEMA)
        .withPartitionSpec(PartitionSpec.builderFor(SCHEMA).bucket("id", 4).build())
        .withSortOrder(
            SortOrder.builderFor(SCHEMA)
                .sortBy("name", SortDirection.DESC, NullOrder.NULLS_LAST)
                .build())
        .withProperty("format-version", "3")
        .withProperty("colour", "blue")
        .create();

    Table loaded = catalog.loadTable(ORDERS);
    assertThat(loaded.schema().sameSchema(SCHEMA)).isTrue();
    assertThat(loaded.spec().toString()).contains("id_bucket: bucket[4](1)");
    assertThat(loaded.sortOrder().toString()).contains("identity(2) DESC NULLS LAST");
    assertThat(loaded.properties()).containsEntry("colour", "blue");
    assertThat(metadata(ORDERS).formatVersion()).isEqualTo(3);
    assertThat(loaded.location())
        .startsWith("file:" + directory.resolve("a catalog").resolve("warehouse"));
  }

  @Test
  void appendedFilesAreSeenByAnotherClient() {
    client.createTwoTables();
    client.append(ORDERS, "first");
    client.append(ORDERS, "second");

    try (CatalogClient other = CatalogClient.of(server)) {
      assertThat(other.liveFiles(ORDERS)).containsExactly("first", "second");
    }
    assertThat(metadata(ORDERS).nextRowId()).isEqualTo(2);
  }

  @Test
  void staleSingleTableCommitIsRefused() {
    client.createTwoTables();
    TableOperations stale = ((BaseTable) catalog.loadTable(ORDERS)).operations();
    TableMetadata base = stale.current();
    catalog.loadTable(ORDERS).updateSchema().addColumn("early", Types.IntegerType.get()).commit();
    Schema late =
        new Schema(
            SCHEMA.findField("id"),
            SCHEMA.findField("name"),
            Types.NestedField.optional(3, "late", Types.DateType.get()));

    assertThatThrownBy(() -> stale.commit(base, base.updateSchema(late)))
        .isInstanceOf(CommitFailedException.class)
        .hasMessageContaining("last assigned field id changed");
  }

  @Test
  void tablesAreListedRenamedAndDropped() {
    client.createTwoTables();
    TableIdentifier spaced = TableIdentifier.of(SHOP, "orders of + 100%/ä");

    catalog.renameTable(ORDERS, spaced);

    assertThat(catalog.listTables(SHOP)).containsExactlyInAnyOrder(spaced, INDEX);
    assertThat(catalog.tableExists(spaced)).isTrue();
    assertThat(catalog.tableExists(ORDERS)).isFalse();
    assertThat(catalog.dropTable(spaced, false)).isTrue();
    assertThat(catalog.dropTable(spaced, false)).isFalse();
    assertThat(catalog.listTables(SHOP)).containsExactly(INDEX);
  }

  @Test
  void tableFaultsRaiseTheMatchingExceptions() {
    client.createTwoTables();
    TableIdentifier absent = TableIdentifier.of(SHOP, "absent");

    assertThatThrownBy(() -> catalog.loadTable(absent))
        .isInstanceOf(NoSuchTableException.class)
        .hasMessageContaining("shop.absent");
    assertThatThrownBy(() -> catalog.createTable(ORDERS, SCHEMA))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("shop.orders");
    assertThatThrownBy(() -> catalog.renameTable(absent, TableIdentifier.of(SHOP, "x")))
        .isInstanceOf(NoSuchTableException.class);
    assertThatThrownBy(() -> catalog.renameTable(ORDERS, INDEX))
        .isInstanceOf(AlreadyExistsException.class);
    assertThatThrownBy(() -> catalog.createTable(TableIdentifier.of("no", "t"), SCHEMA))
        .isInstanceOf(NoSuchNamespaceException.class)
        .hasMessageContaining("Namespace no does not exist");
    assertThatThrownBy(() -> catalog.setProperties(SHOP, properties("long", "v".repeat(1001))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("longer than this catalog stores");
    assertThatThrownBy(
            () ->
                catalog.registerTable(TableIdentifier.of(SHOP, "r"), "file:/no/1-a.metadata.json"))
        .isInstanceOf(NotFoundException.class);
  }

  @Test
  void droppedTableIsRegisteredAgainFromItsMetadata() {
    client.createTwoTables();
    client.append(ORDERS, "kept");
    String location = metadata(ORDERS).metadataFileLocation();
    catalog.dropTable(ORDERS, false);

    catalog.registerTable(ORDERS, location);

    assertThat(client.liveFiles(ORDERS)).containsExactly("kept");
  }

  @Test
  void purgeRemovesTheMetadataFiles() {
    client.createTwoTables();
    Path file = Path.of(metadata(ORDERS).metadataFileLocation().replaceFirst("^file:/+", "/"));
    assertThat(file).exists();

    catalog.dropTable(ORDERS, true);

    assertThat(file).doesNotExist();
  }

  @Test
  void stagedCreateBecomesATableAtItsCommit() {
    catalog.createNamespace(SHOP);
    Transaction create =
        catalog.buildTable(ORDERS, SCHEMA).withProperty("format-version", "3").createTransaction();
    create.newAppend().appendFile(CatalogClient.dataFile("first")).commit();
    assertThat(catalog.tableExists(ORDERS)).isFalse();

    create.commitTransaction();

    assertThat(client.liveFiles(ORDERS)).containsExactly("first");
    assertThat(metadata(ORDERS).formatVersion()).isEqualTo(3);
  }

  @Test
  void clientsMayAskForReferencedSnapshotsOnly() {
    client.createTwoTables();
    client.append(ORDERS, "first");
    client.append(ORDERS, "second");
    Map<String, String> properties = new HashMap<>(server.clientProperties());
    properties.put("snapshot-loading-mode", "refs");

    try (CatalogClient refs =
        new CatalogClient(
            (RESTCatalog) CatalogUtil.buildIcebergCatalog("c", properties, new Configuration()))) {
      assertThat(refs.liveFiles(ORDERS)).containsExactly("first", "second");
      assertThat(refs.catalog().loadTable(ORDERS).snapshots()).hasSize(2);
    }
  }

  @Test
  void closingTwiceIsHarmlessAndReopeningSeesAll() throws Exception {
    client.createTwoTables();
    client.append(ORDERS, "first");
    server.close();
    server.close();
    assertThat(Files.exists(directory.resolve("a catalog").resolve("catalog.mv.db"))).isTrue();

    try (EmbeddedCatalog again = EmbeddedCatalog.start(directory.resolve("a catalog"), 0);
        CatalogClient other = CatalogClient.of(again)) {
      assertThat(other.catalog().listTables(SHOP)).containsExactlyInAnyOrder(ORDERS, INDEX);
      assertThat(other.liveFiles(ORDERS)).containsExactly("first");
    }
  }

  /** Iceberg's request builders ask a map for null, which the JDK's immutable maps refuse. */
  private static Map<String, String> properties(String... keysAndValues) {
    Map<String, String> properties = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return properties;
  }

  private TableMetadata metadata(TableIdentifier table) {
    return ((BaseTable) catalog.loadTable(table)).operations().current();
  }
}
