package io.rowmark.app.embedded;

import java.util.List;
import java.util.Locale;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.rest.CatalogHandlers;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.RESTCatalogProperties.SnapshotMode;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.RegisterTableRequestParser;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;
import org.apache.iceberg.rest.responses.ListTablesResponse;
import org.apache.iceberg.rest.responses.LoadTableResponse;
import org.apache.iceberg.rest.responses.LoadTableResponseParser;

/** The endpoints of single tables, by Iceberg's own handlers. */
record TableRoutes(Catalog catalog) {

  List<Route> routes() {
    return List.of(
        new Route(Endpoint.V1_LIST_TABLES, this::list),
        new Route(Endpoint.V1_CREATE_TABLE, this::create),
        new Route(Endpoint.V1_LOAD_TABLE, this::load),
        new Route(Endpoint.V1_TABLE_EXISTS, this::exists),
        new Route(Endpoint.V1_UPDATE_TABLE, this::commit),
        new Route(Endpoint.V1_DELETE_TABLE, this::drop),
        new Route(Endpoint.V1_RENAME_TABLE, this::rename),
        new Route(Endpoint.V1_REGISTER_TABLE, this::register));
  }

  private RestReply list(RestRequest request) {
    Namespace namespace = request.namespace();
    ListTablesResponse response =
        request
            .parameter("pageSize")
            .map(
                size ->
                    CatalogHandlers.listTables(
                        catalog, namespace, request.query().get("pageToken"), size))
            .orElseGet(() -> CatalogHandlers.listTables(catalog, namespace));
    return RestReply.ok(RestJson.tables(response));
  }

  private RestReply create(RestRequest request) {
    CreateTableRequest table = RestJson.createTable(request.body());
    Namespace namespace = request.namespace();
    return loaded(
        table.stageCreate()
            ? CatalogHandlers.stageTableCreate(catalog, namespace, table)
            : CatalogHandlers.createTable(catalog, namespace, table));
  }

  private RestReply load(RestRequest request) {
    SnapshotMode mode =
        request
            .parameter("snapshots")
            .map(name -> SnapshotMode.valueOf(name.toUpperCase(Locale.ROOT)))
            .orElse(SnapshotMode.ALL);
    return loaded(CatalogHandlers.loadTable(catalog, request.table(), mode));
  }

  private RestReply exists(RestRequest request) {
    CatalogHandlers.tableExists(catalog, request.table());
    return RestReply.NO_CONTENT;
  }

  private RestReply commit(RestRequest request) {
    return loaded(
        CatalogHandlers.updateTable(
            catalog,
            request.table(),
            RestJson.parse(request.body(), UpdateTableRequestParser::fromJson)));
  }

  private RestReply drop(RestRequest request) {
    if (request.parameter("purgeRequested").map(Boolean::parseBoolean).orElse(false)) {
      CatalogHandlers.purgeTable(catalog, request.table());
    } else {
      CatalogHandlers.dropTable(catalog, request.table());
    }
    return RestReply.NO_CONTENT;
  }

  private RestReply rename(RestRequest request) {
    CatalogHandlers.renameTable(catalog, RestJson.renameTable(request.body()));
    return RestReply.NO_CONTENT;
  }

  private RestReply register(RestRequest request) {
    return loaded(
        CatalogHandlers.registerTable(
            catalog,
            request.namespace(),
            RestJson.parse(request.body(), RegisterTableRequestParser::fromJson)));
  }

  private static RestReply loaded(LoadTableResponse response) {
    return RestReply.ok(LoadTableResponseParser.toJson(response));
  }
}
