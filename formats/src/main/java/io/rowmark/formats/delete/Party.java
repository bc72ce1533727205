package io.rowmark.formats.delete;

import io.rowmark.formats.capability.DeclaredReader;

/** Who has a say in the choice. */
public sealed interface Party {
  /** For one line of a report. */
  String text();

  record Reader(DeclaredReader reader) implements Party {
    @Override
    public String text() {
      return reader.text();
    }
  }

  record Catalog(String name) implements Party {
    @Override
    public String text() {
      return "catalog " + name;
    }
  }

  /** Nothing is known of the catalog, so it rules nothing out. */
  record UnknownCatalog() implements Party {
    @Override
    public String text() {
      return "the catalog";
    }
  }

  /** The state of the table, and the permission to change its format version. */
  record Table() implements Party {
    @Override
    public String text() {
      return "the table";
    }
  }

  /**
   * @param name of the user's setting
   */
  record Setting(String name) implements Party {
    @Override
    public String text() {
      return "setting " + name;
    }
  }
}
