package io.rowmark.index.scan;

import java.io.Serializable;

/** A row's place while it is known by its file's number only. */
public record Place(int file, long position) implements Serializable {

  /** For messages, where a place may be named and a row value may not. */
  public String describe(FileNumbers files) {
    return "position %d of data file '%s'".formatted(position, files.path(file));
  }
}
