package io.rowmark.app.embedded;

import java.util.List;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.rest.CatalogHandlers;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.responses.CreateNamespaceResponse;
import org.apache.iceberg.rest.responses.GetNamespaceResponse;
import org.apache.iceberg.rest.responses.ListNamespacesResponse;

/** The endpoints of namespaces, by Iceberg's own handlers. */
record NamespaceRoutes(SupportsNamespaces catalog) {

  List<Route> routes() {
    return List.of(
        new Route(Endpoint.V1_LIST_NAMESPACES, this::list),
        new Route(Endpoint.V1_CREATE_NAMESPACE, this::create),
        new Route(Endpoint.V1_LOAD_NAMESPACE, this::load),
        new Route(Endpoint.V1_NAMESPACE_EXISTS, this::exists),
        new Route(Endpoint.V1_UPDATE_NAMESPACE, this::update),
        new Route(Endpoint.V1_DELETE_NAMESPACE, this::drop));
  }

  private RestReply list(RestRequest request) {
    Namespace parent = request.namespaceParameter("parent");
    ListNamespacesResponse response =
        request
            .parameter("pageSize")
            .map(
                size ->
                    CatalogHandlers.listNamespaces(
                        catalog, parent, request.query().get("pageToken"), size))
            .orElseGet(() -> CatalogHandlers.listNamespaces(catalog, parent));
    return RestReply.ok(RestJson.namespaces(response));
  }

  private RestReply create(RestRequest request) {
    CreateNamespaceResponse created =
        CatalogHandlers.createNamespace(catalog, RestJson.createNamespace(request.body()));
    return RestReply.ok(RestJson.namespace(created.namespace(), created.properties()));
  }

  private RestReply load(RestRequest request) {
    GetNamespaceResponse loaded = CatalogHandlers.loadNamespace(catalog, request.namespace());
    return RestReply.ok(RestJson.namespace(loaded.namespace(), loaded.properties()));
  }

  private RestReply exists(RestRequest request) {
    CatalogHandlers.namespaceExists(catalog, request.namespace());
    return RestReply.NO_CONTENT;
  }

  private RestReply update(RestRequest request) {
    return RestReply.ok(
        RestJson.namespaceUpdate(
            CatalogHandlers.updateNamespaceProperties(
                catalog, request.namespace(), RestJson.updateNamespace(request.body()))));
  }

  private RestReply drop(RestRequest request) {
    CatalogHandlers.dropNamespace(catalog, request.namespace());
    return RestReply.NO_CONTENT;
  }
}
