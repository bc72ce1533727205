package io.rowmark.index.reconcile;

import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.position.LiveFiles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one commit of a reconcile does: it reads some data files, in the order of their paths.
 * Entries that are stale for another reason go when their key is met, and all that are left with
 * the last slice.
 *
 * @param diff what is to be done, without what the slices before it do
 * @param files those to read
 * @param left slices behind this one
 */
record ReconcileSlice(FileSetDiff diff, List<String> files, int left) {
  ReconcileSlice {
    files = List.copyOf(files);
  }

  /** Cuts the work; there is always a last slice, which may read no file. */
  static List<ReconcileSlice> cut(FileSetDiff diff, LiveFiles live, long rowsPerCommit) {
    List<List<String>> parts = new ArrayList<>();
    List<String> part = new ArrayList<>();
    long rows = 0;
    for (String path : new TreeSet<>(diff.toRead())) {
      long next = live.require(path).file().recordCount();
      if (!part.isEmpty() && rows + next > rowsPerCommit) {
        parts.add(part);
        part = new ArrayList<>();
        rows = 0;
      }
      part.add(path);
      rows += next;
    }
    parts.add(part);
    List<ReconcileSlice> slices = new ArrayList<>();
    Set<String> done = new HashSet<>();
    for (int i = 0; i < parts.size(); i++) {
      slices.add(new ReconcileSlice(diff.without(done), parts.get(i), parts.size() - 1 - i));
      done.addAll(parts.get(i));
    }
    return slices;
  }

  boolean isLast() {
    return left == 0;
  }

  /** Path of its last file. */
  String upTo() {
    return files.get(files.size() - 1);
  }

  /** Those of its files that the index had entries for. */
  Set<String> uncertain() {
    Set<String> known = new HashSet<>(files);
    known.retainAll(diff.uncertain());
    return known;
  }
}
