package io.rowmark.index.verify;

import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.Place;
import io.rowmark.index.verify.Difference.Kind;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A difference as a task sees it.
 *
 * @param place of the row or entry concerned; null for a tombstone
 * @param other the second place of a pair; null if there is none
 * @param path stands for a file without a number
 */
record Finding(Kind kind, @Nullable Place place, @Nullable Place other, @Nullable String path)
    implements Serializable {

  Difference toDifference(FileNumbers files) {
    if (place == null) {
      return new Difference(kind, null, null, kind.meaning() + "; one of them is a tombstone");
    }
    String dataFile = path == null ? files.path(place.file()) : path;
    String where =
        "%s: position %d of data file '%s'".formatted(kind.meaning(), place.position(), dataFile);
    String detail = other == null ? where : where + "; the row is at " + other.describe(files);
    return new Difference(kind, dataFile, place.position(), detail);
  }
}
