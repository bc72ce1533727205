package io.rowmark.merge.source;

import io.rowmark.formats.change.RecordTest;
import io.rowmark.formats.change.RecordView;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.apache.hadoop.conf.Configuration;

/** Finds the inputs that the ledger does not have. */
public final class SourceReader {
  private final PipelineSpec pipeline;
  private final Configuration hadoop;

  public SourceReader(PipelineSpec pipeline, Configuration hadoop) {
    this.pipeline = pipeline;
    this.hadoop = hadoop;
  }

  /**
   * The next batch; empty when every landed file is in its table.
   *
   * @param isNew whether a file is still to be read for a data table
   */
  public SourceBatch next(BiPredicate<String, InputFile> isNew) {
    LandingFolder folder = LandingFolder.open(pipeline.source(), hadoop);
    List<TableInput> inputs = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    for (TableSpec table : pipeline.tables()) {
      if (!folder.has(table.topic())) {
        absent.add(table.topic());
        continue;
      }
      List<InputFile> fresh =
          folder.list(table.topic()).stream()
              .filter(file -> isNew.test(table.table(), file))
              .sorted(snapshotsFirst())
              .toList();
      List<InputFile> taken = limited(fresh, pipeline.batch());
      if (!taken.isEmpty()) {
        inputs.add(new TableInput(table, taken));
      }
    }
    return SourceBatch.of(pipeline.name(), inputs, absent);
  }

  /** Files that the envelope tells by their names to be snapshots come before all others. */
  private Comparator<InputFile> snapshotsFirst() {
    RecordTest snapshot = pipeline.source().envelope().op().snapshot();
    return Comparator.comparing(
        file -> {
          String name = file.name().substring(file.name().lastIndexOf('/') + 1);
          return snapshot == null
              || !snapshot.holds(new RecordView(Map.of(), Map.of(), name, 0, 0, 0));
        });
  }

  private static List<InputFile> limited(List<InputFile> files, BatchSpec limits) {
    List<InputFile> taken = new ArrayList<>();
    long bytes = 0;
    for (InputFile file : files) {
      boolean full = taken.size() >= limits.maxFiles() || bytes + file.size() > limits.maxBytes();
      if (full && !taken.isEmpty()) {
        break;
      }
      taken.add(file);
      bytes += file.size();
    }
    return taken;
  }
}
