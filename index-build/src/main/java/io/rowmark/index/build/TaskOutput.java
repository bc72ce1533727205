package io.rowmark.index.build;

import io.rowmark.index.scan.KeyProblems;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;

/** What one task wrote, or all of them together. */
record TaskOutput(List<DataFile> files, long rows, long tombstones, KeyProblems problems)
    implements Serializable {

  static final TaskOutput NOTHING = new TaskOutput(List.of(), 0, 0, KeyProblems.NONE);

  TaskOutput {
    files = List.copyOf(files);
  }

  static TaskOutput sum(List<TaskOutput> outputs) {
    List<DataFile> files = new ArrayList<>();
    long rows = 0;
    long tombstones = 0;
    KeyProblems problems = KeyProblems.NONE;
    for (TaskOutput output : outputs) {
      files.addAll(output.files);
      rows += output.rows;
      tombstones += output.tombstones;
      problems = problems.plus(output.problems);
    }
    return new TaskOutput(files, rows, tombstones, problems);
  }

  long bytes() {
    return files.stream().mapToLong(DataFile::fileSizeInBytes).sum();
  }
}
