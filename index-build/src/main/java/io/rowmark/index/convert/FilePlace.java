package io.rowmark.index.convert;

import java.util.Comparator;
import org.apache.iceberg.DataFile;

/**
 * Where a data file stands in the order in which a conversion takes files. Files of one partition
 * mostly share a folder, so deletes of one partition can go as soon as its files are done.
 *
 * @param location as Iceberg's metadata spells it
 */
record FilePlace(int specId, String location) implements Comparable<FilePlace> {
  private static final Comparator<FilePlace> ORDER =
      Comparator.comparingInt(FilePlace::specId).thenComparing(FilePlace::location);

  static FilePlace of(DataFile file) {
    return new FilePlace(file.specId(), file.location());
  }

  /** Reads {@link #text}. */
  static FilePlace parse(String text) {
    int colon = text.indexOf(':');
    return new FilePlace(Integer.parseInt(text.substring(0, colon)), text.substring(colon + 1));
  }

  String text() {
    return specId + ":" + location;
  }

  @Override
  public int compareTo(FilePlace other) {
    return ORDER.compare(this, other);
  }
}
