package io.rowmark.formats.capability;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import io.rowmark.formats.failure.RowmarkException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * All that is known of readers and catalogs: what is bundled, and what the user lays over it. The
 * file's own comments describe its form.
 */
public final class CapabilityData {
  private static final String BUNDLED = "rowmark-capabilities.conf";

  private final LocalDate asOf;
  private final Map<String, Engine> engines;
  private final Map<String, CatalogRows.Entry> catalogs;
  private final Names engineNames;
  private final Names catalogNames;

  private CapabilityData(
      LocalDate asOf, Map<String, Engine> engines, Map<String, CatalogRows.Entry> catalogs) {
    this.asOf = asOf;
    this.engines = engines;
    this.catalogs = catalogs;
    this.engineNames = Names.of(engines.values());
    this.catalogNames = Names.ofCatalogs(CatalogRows.aliases(catalogs));
  }

  /** What this version of Rowmark ships. */
  public static CapabilityData bundled() {
    ConfigObject root =
        ConfigFactory.parseResources(
                CapabilityData.class.getClassLoader(),
                BUNDLED,
                ConfigParseOptions.defaults().setAllowMissing(false))
            .root();
    CapabilityRow top = new CapabilityRow("the capability data", root);
    top.allowOnly(Set.of("as-of", "readers", "catalogs"));
    LocalDate asOf = top.dateOrNull("as-of");
    if (asOf == null) {
      throw RowmarkException.internal(BUNDLED + " has no as-of date", null);
    }
    return new CapabilityData(asOf, Map.of(), Map.of()).with(root);
  }

  /**
   * This data with a user's statements laid over it: new engines and catalogs, and single cells of
   * known ones. A statement holds from its min-version on, or for all versions where it has none.
   *
   * @param overrides an object with lists {@code readers} and {@code catalogs}, of the form of the
   *     bundled file; either may be absent
   * @throws RowmarkException CONFIG where a key is unknown, a statement lacks source or date, or
   *     two statements contradict each other
   */
  public CapabilityData withOverrides(Config overrides) {
    ConfigObject root = overrides.root();
    new CapabilityRow("the capabilities section", root).allowOnly(Set.of("readers", "catalogs"));
    return with(root);
  }

  private CapabilityData with(ConfigObject root) {
    return new CapabilityData(
        asOf,
        ReaderRows.over(engines, CapabilityRow.list(root, "readers")),
        CatalogRows.over(catalogs, CapabilityRow.list(root, "catalogs")));
  }

  /** The day on which the bundled data was last gone through. */
  public LocalDate asOf() {
    return asOf;
  }

  /** Own names of all engines, in order. */
  public SortedSet<String> engines() {
    return new TreeSet<>(engines.keySet());
  }

  /** Own names of all catalogs, in order. */
  public SortedSet<String> catalogs() {
    return new TreeSet<>(catalogs.keySet());
  }

  /** Engines that reports name where users did not declare them. */
  public SortedSet<String> popularEngines() {
    SortedSet<String> popular = new TreeSet<>();
    engines.forEach(
        (name, engine) -> {
          if (engine.popularity() == Engine.Popularity.POPULAR) {
            popular.add(name);
          }
        });
    return popular;
  }

  /** Other names of an engine, in order. */
  public SortedSet<String> aliasesOfEngine(String engine) {
    return new TreeSet<>(known(engine).aliases());
  }

  /** Other names of a catalog, in order. */
  public SortedSet<String> aliasesOfCatalog(String catalog) {
    CatalogRows.Entry entry = catalogs.get(catalogNames.nameOf(catalog));
    return new TreeSet<>(entry == null ? Set.of() : entry.aliases());
  }

  /**
   * Reads a declared reader: an engine or one of its aliases, and a version where the user wants to
   * be exact, as in {@code trino} and {@code "duckdb 1.4"}.
   *
   * @throws RowmarkException CONFIG where the engine is not known or the text has another form
   */
  public DeclaredReader reader(String text) {
    String[] words = text.strip().split("\\s+", -1);
    if (words[0].isEmpty() || words.length > 2) {
      throw malformed(text);
    }
    String engine = engineNames.find(words[0]);
    if (engine == null) {
      throw RowmarkException.config(
          ("There is no reader '%s' in the capability data. %s A reader that is missing there is"
                  + " added in the section capabilities, with its source and date.")
              .formatted(words[0], engineNames.suggestion(words[0])));
    }
    if (words.length == 1) {
      return new DeclaredReader(engine, null);
    }
    return new DeclaredReader(
        engine, EngineVersion.parse(words[1]).orElseThrow(() -> malformed(text)));
  }

  private static RowmarkException malformed(String text) {
    return RowmarkException.config(
        ("The reader '%s' is not of the form <engine> or <engine> <version>. Write the oldest"
                + " version in use, in numbers with dots, as in trino or \"duckdb 1.4\".")
            .formatted(text));
  }

  /**
   * What the declared reader reads. Of a version that is older than all of which something is said,
   * nothing is known.
   *
   * @throws RowmarkException CONFIG where the engine is not known
   */
  public ReaderCapability capability(DeclaredReader reader) {
    Engine engine = known(reader.engine());
    return engine
        .row(reader.version())
        .orElseGet(
            () ->
                ReaderRows.unknown(
                    engine.name(), reader.version(), engine.rows().get(0).formatV3().evidence()));
  }

  /** What is said of an engine's versions, oldest first. */
  public List<ReaderCapability> rows(String engine) {
    return known(engine).rows();
  }

  private Engine known(String name) {
    Engine engine = engines.get(engineNames.nameOf(name));
    if (engine == null) {
      throw RowmarkException.config(
          "There is no reader '%s' in the capability data. %s"
              .formatted(name, engineNames.suggestion(name)));
    }
    return engine;
  }

  /**
   * A catalog by its own name or an alias.
   *
   * @throws RowmarkException CONFIG where it is not known
   */
  public CatalogCapability catalog(String name) {
    return findCatalog(name)
        .orElseThrow(
            () ->
                RowmarkException.config(
                    ("There is no catalog '%s' in the capability data. %s One that is missing there"
                            + " is added in the section capabilities, with its source and date.")
                        .formatted(name, catalogNames.suggestion(name))));
  }

  /** A catalog by its own name or an alias; empty where it is not known. */
  public Optional<CatalogCapability> findCatalog(String name) {
    return Optional.ofNullable(catalogs.get(catalogNames.nameOf(name)))
        .map(CatalogRows.Entry::capability);
  }

  /**
   * Reads the name of a condition, {@code product/condition}, an alias of the product included.
   *
   * @return with the product's own name
   * @throws RowmarkException CONFIG where no product has such a condition
   */
  public String condition(String text) {
    int slash = text.indexOf('/');
    String product = slash < 0 ? "" : text.substring(0, slash);
    String condition = Statement.normal(text.substring(slash + 1));
    SortedSet<String> known = conditions();
    List<String> candidates = new ArrayList<>();
    candidates.add(engineNames.nameOf(product) + "/" + condition);
    candidates.add(catalogNames.nameOf(product) + "/" + condition);
    return candidates.stream()
        .filter(known::contains)
        .findFirst()
        .orElseThrow(
            () ->
                RowmarkException.config(
                    "There is no condition '%s' to allow; conditions are written product/condition. %s"
                        .formatted(text, CapabilityRow.suggestion(Statement.normal(text), known))));
  }

  /** All conditions under which something is partly supported, as {@code product/condition}. */
  public SortedSet<String> conditions() {
    return Conditions.of(
        engines.values().stream().flatMap(engine -> engine.rows().stream()).toList(),
        catalogs.values().stream().map(CatalogRows.Entry::capability).toList());
  }
}
