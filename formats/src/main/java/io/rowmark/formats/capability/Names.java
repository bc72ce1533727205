package io.rowmark.formats.capability;

import io.rowmark.formats.failure.RowmarkException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names by which products are called.
 *
 * @param products the product's own name by each of its names, aliases included
 */
record Names(Map<String, String> products) {

  static Names of(Collection<Engine> engines) {
    Map<String, String> products = new TreeMap<>();
    for (Engine engine : engines) {
      add(products, engine.name(), engine.name());
      engine.aliases().forEach(alias -> add(products, alias, engine.name()));
    }
    return new Names(products);
  }

  static Names ofCatalogs(Map<String, ? extends Set<String>> aliases) {
    Map<String, String> products = new TreeMap<>();
    aliases.forEach(
        (name, others) -> {
          add(products, name, name);
          others.forEach(alias -> add(products, alias, name));
        });
    return new Names(products);
  }

  private static void add(Map<String, String> products, String name, String product) {
    String before = products.put(name, product);
    if (before != null && !before.equals(product)) {
      throw RowmarkException.config(
          "The capability data calls both %s and %s by the name %s. Remove one of the aliases."
              .formatted(before, product, name));
    }
  }

  /** The product's own name; a name that nobody has is its own. */
  String nameOf(String name) {
    return products.getOrDefault(Statement.normal(name), Statement.normal(name));
  }

  @Nullable String find(String name) {
    return products.get(Statement.normal(name));
  }

  String suggestion(String misspelt) {
    return CapabilityRow.suggestion(Statement.normal(misspelt), products.keySet());
  }
}
