package io.rowmark.merge.source;

import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.SourcePlace;
import io.rowmark.merge.spec.TableSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/** Up to where a pipeline has read the Iceberg tables that it takes changes from. */
public final class SourceCursors {
  private SourceCursors() {}

  /**
   * The snapshots of one source table, by the tables that read it. A snapshot that is gone is not
   * missed until the next batch, which then cannot tell what changed.
   *
   * @param source name of the source table
   */
  public static Map<String, Long> of(PipelineSpec pipeline, SeenInputs seen, String source) {
    Map<String, Long> cursors = new LinkedHashMap<>();
    if (pipeline.source().place() instanceof SourcePlace.IcebergTables) {
      for (TableSpec target : pipeline.tables()) {
        if (target.topic().equals(source)) {
          SnapshotName.last(seen, target.table(), source)
              .ifPresent(name -> cursors.put(target.table(), name.snapshot()));
        }
      }
    }
    return cursors;
  }
}
