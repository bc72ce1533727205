package io.rowmark.formats.capability;

import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/** The conditions that the data names. */
final class Conditions {
  private Conditions() {}

  static SortedSet<String> of(
      Collection<ReaderCapability> readers, Collection<CatalogCapability> catalogs) {
    SortedSet<String> found = new TreeSet<>();
    for (ReaderCapability reader : readers) {
      reader.deletes().values().forEach(stated -> add(found, reader.engine(), stated));
      add(found, reader.engine(), reader.formatV3());
    }
    for (CatalogCapability catalog : catalogs) {
      catalog.deletes().values().forEach(stated -> add(found, catalog.name(), stated));
      add(found, catalog.name(), catalog.formatV3());
    }
    return found;
  }

  private static void add(SortedSet<String> found, String product, Stated<Support> stated) {
    if (stated.value() instanceof Support.Partial partial) {
      found.add(product + "/" + partial.condition());
    }
  }
}
