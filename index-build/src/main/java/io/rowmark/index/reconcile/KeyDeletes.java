package io.rowmark.index.reconcile;

import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.scan.FileNumbers;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;

/**
 * Equality deletes by the same columns of the key, and the erased data files that each applies to.
 *
 * @param columns field ids
 * @param deletes the delete files; their places in the list stand for them
 * @param appliesTo numbers of data files, for each delete file
 */
record KeyDeletes(
    Set<Integer> columns, List<DeleteFile> deletes, ArrayList<HashSet<Integer>> appliesTo)
    implements Serializable {

  /** Deletes that were there before come along: their entries are gone already. */
  static List<KeyDeletes> of(FileSetDiff diff, KeySpec key, LiveFiles live, FileNumbers numbers) {
    Set<Integer> keyColumns =
        key.columns().stream()
            .map(KeySpec.KeyColumn::fieldId)
            .collect(Collectors.toUnmodifiableSet());
    Map<Set<Integer>, KeyDeletes> groups = new LinkedHashMap<>();
    Map<String, Integer> places = new HashMap<>();
    for (String path : diff.erased()) {
      LiveFile file = live.require(path);
      for (DeleteFile delete : file.deletes()) {
        if (delete.content() == FileContent.EQUALITY_DELETES
            && keyColumns.containsAll(delete.equalityFieldIds())) {
          KeyDeletes group =
              groups.computeIfAbsent(
                  Set.copyOf(delete.equalityFieldIds()),
                  columns -> new KeyDeletes(columns, new ArrayList<>(), new ArrayList<>()));
          int place = places.computeIfAbsent(delete.location(), name -> group.append(delete));
          group.appliesTo.get(place).add(numbers.number(path));
        }
      }
    }
    return List.copyOf(groups.values());
  }

  private int append(DeleteFile delete) {
    deletes.add(delete);
    appliesTo.add(new HashSet<>());
    return deletes.size() - 1;
  }

  boolean applies(int delete, int file) {
    return appliesTo.get(delete).contains(file);
  }
}
