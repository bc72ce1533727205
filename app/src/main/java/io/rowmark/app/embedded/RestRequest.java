package io.rowmark.app.embedded;

import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.rest.RESTUtil;

/**
 * One request, with its route already found.
 *
 * @param path values of the route's variables, still percent-encoded: a namespace is split first
 *     and decoded after
 * @param query decoded query parameters
 * @param body the body as text; empty where there is none
 */
record RestRequest(Map<String, String> path, Map<String, String> query, String body) {
  /** Iceberg's default separator of namespace levels, the unit separator, as it stands in a URL. */
  private static final String LEVEL_SEPARATOR = "%1F";

  Namespace namespace() {
    return requireStorable(
        RESTUtil.decodeNamespaceAsPathSegment(variable("namespace"), LEVEL_SEPARATOR));
  }

  TableIdentifier table() {
    return TableIdentifier.of(namespace(), RESTUtil.decodePathSegment(variable("table")));
  }

  /** The query parameter; empty when absent or blank. */
  Optional<String> parameter(String name) {
    return Optional.ofNullable(query.get(name)).filter(value -> !value.isBlank());
  }

  /** The namespace that the query parameter names; the empty namespace when there is none. */
  Namespace namespaceParameter(String name) {
    return parameter(name)
        .map(RESTUtil::namespaceFromQueryParam)
        .map(RestRequest::requireStorable)
        .orElseGet(Namespace::empty);
  }

  /**
   * Refuses a namespace that the JDBC catalog would confuse with another: it joins the levels with
   * dots.
   */
  static Namespace requireStorable(Namespace namespace) {
    for (String level : namespace.levels()) {
      if (level.isEmpty() || level.contains(".")) {
        throw new BadRequestException(
            "Namespace level '%s' is empty or has a dot in it, which this catalog cannot store",
            level);
      }
    }
    return namespace;
  }

  private String variable(String name) {
    String value = path.get(name);
    if (value == null) {
      throw new IllegalStateException("The route has no variable " + name);
    }
    return value;
  }
}
