package io.rowmark.index.reconcile;

import io.rowmark.index.scan.KeyProblems;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;

/**
 * What one merging task wrote and counted, or all of them together.
 *
 * @param files the sorted run
 */
public record MergeOutput(
    List<DataFile> files, long dropped, long added, long tombstones, KeyProblems problems)
    implements Serializable {

  static final MergeOutput NOTHING = new MergeOutput(List.of(), 0, 0, 0, KeyProblems.NONE);

  public MergeOutput {
    files = List.copyOf(files);
  }

  /** The counts alone, once the files are gone. */
  MergeOutput withoutFiles() {
    return new MergeOutput(List.of(), dropped, added, tombstones, problems);
  }

  static MergeOutput sum(List<MergeOutput> outputs) {
    List<DataFile> files = new ArrayList<>();
    long dropped = 0;
    long added = 0;
    long tombstones = 0;
    KeyProblems problems = KeyProblems.NONE;
    for (MergeOutput output : outputs) {
      files.addAll(output.files);
      dropped += output.dropped;
      added += output.added;
      tombstones += output.tombstones;
      problems = problems.plus(output.problems);
    }
    return new MergeOutput(files, dropped, added, tombstones, problems);
  }
}
