package io.rowmark.app.embedded;

import org.jspecify.annotations.Nullable;

/**
 * What goes back to the client.
 *
 * @param status HTTP status
 * @param json the body; null where the answer has none
 */
record RestReply(int status, @Nullable String json) {
  static final RestReply NO_CONTENT = new RestReply(204, null);

  static RestReply ok(String json) {
    return new RestReply(200, json);
  }
}
