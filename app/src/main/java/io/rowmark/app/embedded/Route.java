package io.rowmark.app.embedded;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.iceberg.rest.Endpoint;

/**
 * One endpoint and what answers it.
 *
 * @param endpoint as Iceberg and the REST specification write it
 * @param action makes the reply; whatever it throws becomes an error reply
 */
record Route(Endpoint endpoint, Function<RestRequest, RestReply> action) {

  /** Values of the path's variables when the path is this route's, whatever the method. */
  Optional<Map<String, String>> match(List<String> segments) {
    List<String> template = template();
    if (template.size() != segments.size()) {
      return Optional.empty();
    }
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < template.size(); i++) {
      String expected = template.get(i);
      if (expected.startsWith("{")) {
        variables.put(expected.substring(1, expected.length() - 1), segments.get(i));
      } else if (!expected.equals(segments.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(variables);
  }

  /** The path's parts. This catalog has no prefix, so its place in the template is left out. */
  private List<String> template() {
    return Arrays.stream(endpoint.path().substring(1).split("/", -1))
        .filter(part -> !part.equals("{prefix}"))
        .toList();
  }
}
