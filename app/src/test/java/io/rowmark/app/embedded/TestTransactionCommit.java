package io.rowmark.app.embedded;

import static io.rowmark.app.embedded.CatalogClient.INDEX;
import static io.rowmark.app.embedded.CatalogClient.ORDERS;
import static io.rowmark.app.embedded.CatalogClient.SCHEMA;
import static io.rowmark.app.embedded.CatalogClient.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.rest.requests.CommitTransactionRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestTransactionCommit {
  private Path directory;
  private EmbeddedCatalog server;
  private CatalogClient client;

  @BeforeEach
  void start(@TempDir Path given) {
    directory = given;
    server = EmbeddedCatalog.start(directory, 0);
    client = CatalogClient.of(server);
    client.createTwoTables();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void bothTablesShowTheCommit() {
    client.commit(client.stagedAppend(ORDERS, "one"), client.stagedAppend(INDEX, "one"));
    client.commit(client.stagedAppend(INDEX, "two"), client.stagedAppend(ORDERS, "two"));

    assertThat(client.liveFiles(ORDERS)).containsExactly("one", "two");
    assertThat(client.liveFiles(INDEX)).containsExactly("one", "two");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void staleMemberLeavesBothUnchanged(boolean staleFirst) {
    TableCommit stale = client.stagedAppend(ORDERS, "stale");
    client.append(ORDERS, "foreign");
    TableCommit fresh = client.stagedAppend(INDEX, "fresh");
    Set<String> before = metadataFiles();

    assertThatThrownBy(() -> client.commit(staleFirst ? stale : fresh, staleFirst ? fresh : stale))
        .isInstanceOf(CommitFailedException.class)
        .hasMessageContaining("branch main");

    assertThat(client.liveFiles(ORDERS)).containsExactly("foreign");
    assertThat(client.liveFiles(INDEX)).isEmpty();
    assertThat(metadataFiles()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders", "orders__rowmark_index"})
  void changeBetweenTheChecksAndTheSwapIsRefused(String changed) throws Exception {
    TableIdentifier foreign = TableIdentifier.of(SHOP, changed);
    List<UpdateTableRequest> changes =
        List.of(
            request(client.stagedAppend(ORDERS, "mine")),
            request(client.stagedAppend(INDEX, "mine")));
    client.close();
    server.close();

    try (CatalogStore store = CatalogStore.open(directory)) {
      Catalog interrupted = interrupted(store.catalog(), foreign);
      TransactionCommit commit = new TransactionCommit(interrupted, store.database());

      assertThatThrownBy(() -> commit.commit(new CommitTransactionRequest(changes)))
          .isInstanceOf(CommitFailedException.class)
          .hasMessage("Table shop." + changed + " was changed concurrently");
    }

    reopen();
    assertThat(client.liveFiles(ORDERS))
        .isEqualTo(foreign.equals(ORDERS) ? Set.of("foreign") : Set.of());
    assertThat(client.liveFiles(INDEX))
        .isEqualTo(foreign.equals(INDEX) ? Set.of("foreign") : Set.of());
    assertThat(metadataFiles()).as("created, created, foreign append").hasSize(3);
  }

  @Test
  void unknownTableLeavesTheOtherUnchanged() {
    TableIdentifier gone = TableIdentifier.of(SHOP, "gone");
    client.catalog().createTable(gone, SCHEMA);
    TableCommit lost = client.stagedAppend(gone, "lost");
    client.catalog().dropTable(gone, false);
    TableCommit orders = client.stagedAppend(ORDERS, "lost");

    assertThatThrownBy(() -> client.commit(orders, lost))
        .isInstanceOf(NoSuchTableException.class)
        .hasMessageContaining("shop.gone");

    assertThat(client.liveFiles(ORDERS)).isEmpty();
  }

  @Test
  void droppedAndRecreatedTableIsAnotherTable() {
    TableCommit orders = client.stagedAppend(ORDERS, "lost");
    TableCommit index = client.stagedAppend(INDEX, "lost");
    client.catalog().dropTable(INDEX, false);
    client
        .catalog()
        .createTable(INDEX, SCHEMA, PartitionSpec.unpartitioned(), Map.of("format-version", "3"));

    assertThatThrownBy(() -> client.commit(orders, index))
        .isInstanceOf(CommitFailedException.class)
        .hasMessageContaining("UUID does not match");

    assertThat(client.liveFiles(ORDERS)).isEmpty();
  }

  @Test
  void tableNamedTwiceIsRefused() {
    TableCommit once = client.stagedAppend(ORDERS, "once");
    TableCommit twice = client.stagedAppend(ORDERS, "twice");

    assertThatThrownBy(() -> client.commit(once, client.stagedAppend(INDEX, "once"), twice))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("shop.orders is named twice");

    assertThat(client.liveFiles(ORDERS)).isEmpty();
    assertThat(client.liveFiles(INDEX)).isEmpty();
  }

  @Test
  void createInsideACommitIsRefused() {
    TableIdentifier fresh = TableIdentifier.of(SHOP, "fresh");
    BaseTransaction create =
        (BaseTransaction) client.catalog().buildTable(fresh, SCHEMA).createTransaction();
    UpdateTableRequest creation =
        UpdateTableRequest.create(
            fresh,
            List.of(new UpdateRequirement.AssertTableDoesNotExist()),
            create.currentMetadata().changes());
    client.close();
    server.close();

    try (CatalogStore store = CatalogStore.open(directory)) {
      TransactionCommit commit = new TransactionCommit(store.catalog(), store.database());
      assertThatThrownBy(() -> commit.commit(new CommitTransactionRequest(List.of(creation))))
          .isInstanceOf(BadRequestException.class)
          .hasMessage(
              "Table shop.fresh cannot be created in a multi-table commit; create it empty"
                  + " beforehand");
    }
  }

  @Test
  void schemaChangeAndAppendTravelTogether() {
    client.commit(
        client.staged(
            ORDERS,
            change -> {
              change.updateSchema().addColumn("added", Types.DateType.get()).commit();
              change.updateProperties().set("batch", "7").commit();
              change.newAppend().appendFile(CatalogClient.dataFile("wide")).commit();
            }),
        client.stagedAppend(INDEX, "wide"));

    assertThat(client.catalog().loadTable(ORDERS).schema().findField("added")).isNotNull();
    assertThat(client.catalog().loadTable(ORDERS).properties()).containsEntry("batch", "7");
    assertThat(client.liveFiles(ORDERS)).containsExactly("wide");
    assertThat(client.liveFiles(INDEX)).containsExactly("wide");
  }

  @Test
  void requirementWithoutUpdateGuardsTheOtherTable() {
    String uuid = uuid(INDEX);
    client.close();
    server.close();

    try (CatalogStore store = CatalogStore.open(directory)) {
      TransactionCommit commit = new TransactionCommit(store.catalog(), store.database());
      UpdateTableRequest change =
          UpdateTableRequest.create(
              ORDERS, List.of(), List.of(new MetadataUpdate.SetProperties(Map.of("k", "v"))));

      commit.commit(new CommitTransactionRequest(List.of(change, guard(uuid))));

      assertThat(store.catalog().loadTable(ORDERS).properties()).containsEntry("k", "v");
      assertThatThrownBy(
              () -> commit.commit(new CommitTransactionRequest(List.of(change, guard("other")))))
          .isInstanceOf(CommitFailedException.class)
          .hasMessageContaining("UUID does not match");
    }
    assertThat(metadataFiles()).as("created, created, changed").hasSize(3);
  }

  @Test
  void oldMetadataFilesGoWhenTheTableAsksForIt() {
    client
        .catalog()
        .loadTable(ORDERS)
        .updateProperties()
        .set("write.metadata.delete-after-commit.enabled", "true")
        .set("write.metadata.previous-versions-max", "1")
        .commit();

    for (String name : List.of("a", "b", "c", "d")) {
      client.commit(client.stagedAppend(ORDERS, name), client.stagedAppend(INDEX, name));
    }

    assertThat(metadataFiles().stream().filter(file -> file.contains("orders/"))).hasSize(2);
    assertThat(client.liveFiles(ORDERS)).containsExactly("a", "b", "c", "d");
  }

  private void reopen() {
    server = EmbeddedCatalog.start(directory, 0);
    client = CatalogClient.of(server);
  }

  private String uuid(TableIdentifier table) {
    return client.catalog().loadTable(table).uuid().toString();
  }

  private static UpdateTableRequest guard(String uuid) {
    return UpdateTableRequest.create(
        INDEX, List.of(new UpdateRequirement.AssertTableUUID(uuid)), List.of());
  }

  private static UpdateTableRequest request(TableCommit commit) {
    return UpdateTableRequest.create(commit.identifier(), commit.requirements(), commit.updates());
  }

  /** The catalog, except that another writer appends to one table right after its load. */
  private static Catalog interrupted(Catalog catalog, TableIdentifier changed) {
    return (Catalog)
        Proxy.newProxyInstance(
            Catalog.class.getClassLoader(),
            new Class<?>[] {Catalog.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(catalog, arguments);
                if (method.getName().equals("loadTable") && arguments[0].equals(changed)) {
                  ((HasTableOperations) result).operations().current();
                  catalog
                      .loadTable(changed)
                      .newAppend()
                      .appendFile(CatalogClient.dataFile("foreign"))
                      .commit();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Set<String> metadataFiles() {
    try (Stream<Path> files = Files.walk(directory.resolve("warehouse"))) {
      return files
          .map(Path::toString)
          .filter(file -> file.endsWith(".metadata.json"))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
