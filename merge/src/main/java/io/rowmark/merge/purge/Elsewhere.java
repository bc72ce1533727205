package io.rowmark.merge.purge;

import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.SourcePlace;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.List;

/** Places that a purge does not reach and that may hold the same keys. */
final class Elsewhere {
  private Elsewhere() {}

  /** For people, one place each. */
  static List<String> of(PipelineSpec pipeline, TableSpec table) {
    List<String> places = new ArrayList<>();
    if (pipeline.source().place() instanceof SourcePlace.Folder folder) {
      places.add("landed files: %s, topic %s".formatted(folder.path(), table.topic()));
    } else {
      places.add("the source table %s and its history".formatted(table.topic()));
    }
    if (!pipeline.rejects().path().isEmpty()) {
      places.add("records set aside: %s".formatted(pipeline.rejects().path()));
    }
    places.add(
        "files that no snapshot names, of runs that died: remove_orphan_files on the table and its index");
    places.add("other tables, copies and backups, and older versions that the object store keeps");
    places.add("the file of the keys itself");
    return places;
  }
}
