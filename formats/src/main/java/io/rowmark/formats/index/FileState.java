package io.rowmark.formats.index;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.jspecify.annotations.Nullable;

/**
 * What decides which rows of a data file are live, and which ids they have.
 *
 * @param records rows in the file, dead ones included
 * @param firstRowId null where files have no row ids
 * @param positional identities of the position deletes and deletion vectors that apply
 * @param equality the equality deletes that apply
 */
public record FileState(
    long records, @Nullable Long firstRowId, Set<String> positional, Set<EqualityDelete> equality) {

  /**
   * An equality delete file.
   *
   * @param columns field ids of the columns that it compares
   */
  public record EqualityDelete(String identity, Set<Integer> columns) {
    public EqualityDelete {
      columns = Set.copyOf(columns);
    }
  }

  public FileState {
    positional = Set.copyOf(positional);
    equality = Set.copyOf(equality);
  }

  /** The state of every live file, by path. */
  public static Map<String, FileState> of(LiveFiles files) {
    Map<String, FileState> states = new LinkedHashMap<>();
    files.all().forEach(live -> states.put(live.path(), of(live)));
    return states;
  }

  /** The state of one file. */
  public static FileState of(LiveFile live) {
    Set<String> positional = new LinkedHashSet<>();
    Set<EqualityDelete> equality = new LinkedHashSet<>();
    for (DeleteFile delete : live.deletes()) {
      if (delete.content() == FileContent.POSITION_DELETES) {
        positional.add(identity(delete));
      } else {
        equality.add(new EqualityDelete(identity(delete), Set.copyOf(delete.equalityFieldIds())));
      }
    }
    return new FileState(live.file().recordCount(), live.file().firstRowId(), positional, equality);
  }

  /** Several vectors may share one file, so its path alone does not tell them apart. */
  private static String identity(DeleteFile delete) {
    Long start = delete.contentOffset();
    return start == null ? delete.location() : delete.location() + "@" + start;
  }

  /**
   * Whether rows were only deleted since, and by nothing that an entry cannot be compared with: its
   * place, or columns of the key.
   */
  public boolean onlyLostRows(FileState former, Set<Integer> keyColumns) {
    return positional.containsAll(former.positional)
        && equality.containsAll(former.equality)
        && equality.stream()
            .filter(delete -> !former.equality.contains(delete))
            .allMatch(delete -> keyColumns.containsAll(delete.columns()));
  }

  boolean hasDeletes() {
    return !positional.isEmpty() || !equality.isEmpty();
  }

  /**
   * Whether rows may have other ids than before. Getting first ids, as by an upgrade of the table,
   * gives ids by place to rows that had none, which is what an entry without an id says anyway.
   */
  boolean renumbered(FileState former) {
    Long now = firstRowId;
    Long then = former.firstRowId;
    return now != null && then != null && !now.equals(then);
  }
}
