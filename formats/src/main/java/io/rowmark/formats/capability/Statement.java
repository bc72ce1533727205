package io.rowmark.formats.capability;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.rowmark.formats.failure.RowmarkException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One row of the capability data, as written: what is said of a product from a version on.
 *
 * @param product its own name, in lower case
 * @param minVersion null for all versions
 * @param cells only those that the row names, by key
 */
record Statement(
    String product,
    @Nullable EngineVersion minVersion,
    SortedSet<String> aliases,
    Map<String, Stated<Support>> cells,
    CapabilityRow row) {

  private static final Set<String> EVIDENCE = Set.of("source", "date", "confidence");
  private static final Set<String> CELL = Set.of("support", "condition", "note", "failure");

  /**
   * @param nameKey key that holds the product's name
   * @param cellKeys keys that hold a support
   * @param otherKeys further keys that the caller reads
   */
  static Statement read(
      CapabilityRow row, String nameKey, Set<String> cellKeys, Set<String> otherKeys) {
    String product = normal(row.required(nameKey, "Write %s = <name>.".formatted(nameKey)));
    CapabilityRow named = row.named("%s %s".formatted(nameKey, product));
    Set<String> known = new TreeSet<>(EVIDENCE);
    known.addAll(Set.of(nameKey, "aliases", "note"));
    known.addAll(cellKeys);
    known.addAll(otherKeys);
    named.allowOnly(known);
    Map<String, Stated<Support>> cells = new LinkedHashMap<>();
    for (String key : new TreeSet<>(cellKeys)) {
      ConfigValue value = named.values().get(key);
      if (value != null) {
        cells.put(key, cell(named, key, value));
      }
    }
    SortedSet<String> aliases = new TreeSet<>();
    named.texts("aliases").forEach(alias -> aliases.add(normal(alias)));
    EngineVersion minVersion =
        otherKeys.contains("min-version") ? named.versionOrNull("min-version") : null;
    return new Statement(product, minVersion, aliases, cells, named);
  }

  /** Names are compared in lower case, with hyphens. */
  static String normal(String name) {
    return name.strip().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Evidence of a fact that stands in the row itself. */
  Evidence evidence() {
    return evidence(row, row, row.origin());
  }

  private static Stated<Support> cell(CapabilityRow row, String key, ConfigValue value) {
    if (!(value instanceof ConfigObject object)) {
      String text = row.required(key, "");
      return new Stated<>(plain(row, key, text), evidence(row, row, CapabilityRow.origin(value)));
    }
    CapabilityRow cell = new CapabilityRow("%s of %s".formatted(key, row.what()), object);
    Set<String> known = new TreeSet<>(EVIDENCE);
    known.addAll(CELL);
    cell.allowOnly(known);
    return new Stated<>(support(cell), evidence(cell, row, cell.origin()));
  }

  private static Support plain(CapabilityRow row, String key, String text) {
    return switch (text) {
      case "yes" -> new Support.Yes("");
      case "no" -> new Support.No("", FailureMode.UNKNOWN);
      case "unknown" -> new Support.Unknown("");
      case "partial" ->
          throw row.at(
              key,
              "is partial, which needs a condition and a note: write { support = partial,"
                  + " condition = <name>, note = \"...\", failure = error }.");
      default ->
          throw row.at(
              key, "is '%s', but must be one of yes, no, partial, unknown.".formatted(text));
    };
  }

  private static Support support(CapabilityRow cell) {
    String text = cell.required("support", "Write support = yes, no, partial or unknown.");
    String note = cell.text("note", "");
    FailureMode failure = cell.choice("failure", FailureMode.class, FailureMode.UNKNOWN);
    if (!text.equals("partial") && cell.values().containsKey("condition")) {
      throw cell.at("condition", "is of use only where support = partial. Remove it.");
    }
    return switch (text) {
      case "no" -> new Support.No(note, failure);
      case "partial" ->
          new Support.Partial(
              normal(cell.required("condition", "Users allow a partial support by this name.")),
              cell.required("note", "Say what the condition means."),
              failure);
      case "yes", "unknown" -> {
        if (cell.values().containsKey("failure")) {
          throw cell.at("failure", "is of use only where support = no or partial. Remove it.");
        }
        yield text.equals("yes") ? new Support.Yes(note) : new Support.Unknown(note);
      }
      default ->
          throw cell.at(
              "support", "is '%s', but must be one of yes, no, partial, unknown.".formatted(text));
    };
  }

  /** What the cell itself does not say is taken from its row. */
  private static Evidence evidence(CapabilityRow cell, CapabilityRow row, String origin) {
    String source = cell.text("source", row.text("source", ""));
    if (source.isBlank()) {
      throw missing(cell, "source", "Say where you know it from, as in source = \"run by us\".");
    }
    LocalDate own = cell.dateOrNull("date");
    LocalDate date = own == null ? row.dateOrNull("date") : own;
    if (date == null) {
      throw missing(cell, "date", "Say when that was true, as in date = 2026-11-30.");
    }
    Confidence general = row.choice("confidence", Confidence.class, Confidence.MEDIUM);
    return new Evidence(source, date, cell.choice("confidence", Confidence.class, general), origin);
  }

  private static RowmarkException missing(CapabilityRow cell, String key, String how) {
    return CapabilityRow.error(
        cell.values(),
        "%s has no %s. Such facts age in weeks and are only as good as their source. %s"
            .formatted(cell.what(), key, how));
  }
}
