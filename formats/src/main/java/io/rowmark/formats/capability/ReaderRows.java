package io.rowmark.formats.capability;

import io.rowmark.formats.delete.DeleteFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the rows of engines together. A row says only what changes with its version: it holds for
 * that version and all newer ones, until a row of the same layer says otherwise. The user's rows
 * are a layer over the bundled ones.
 */
final class ReaderRows {
  static final String FORMAT_V3 = "format-v3";
  private static final Set<String> OTHER = Set.of("min-version", "release", "popular");
  private static final Comparator<@Nullable EngineVersion> OLDEST_FIRST =
      Comparator.nullsFirst(Comparator.naturalOrder());

  private ReaderRows() {}

  /** Keys of what is said of delete formats and of format version 3. */
  static Set<String> cellKeys() {
    return Stream.concat(
            Arrays.stream(DeleteFormat.values()).map(DeleteFormat::text), Stream.of(FORMAT_V3))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The engines with these rows laid over what was known of them. */
  static Map<String, Engine> over(Map<String, Engine> known, List<CapabilityRow> rows) {
    Names names = Names.of(known.values());
    Map<String, List<Statement>> byEngine = new LinkedHashMap<>();
    for (CapabilityRow row : rows) {
      Statement statement = Statement.read(row, "engine", cellKeys(), OTHER);
      byEngine
          .computeIfAbsent(names.nameOf(statement.product()), name -> new ArrayList<>())
          .add(statement);
    }
    Map<String, Engine> engines = new TreeMap<>(known);
    byEngine.forEach(
        (name, statements) -> engines.put(name, engine(name, known.get(name), statements)));
    return engines;
  }

  private static Engine engine(String name, @Nullable Engine known, List<Statement> statements) {
    Contradictions.refuse(name, statements);
    SortedSet<String> aliases = new TreeSet<>(known == null ? Set.of() : known.aliases());
    Engine.Popularity popularity = known == null ? Engine.Popularity.OTHER : known.popularity();
    TreeMap<@Nullable EngineVersion, ReaderCapability> rows = new TreeMap<>(OLDEST_FIRST);
    if (known != null) {
      known.rows().forEach(row -> rows.put(row.minVersion(), row));
    }
    List<Statement> oldestFirst =
        statements.stream()
            .sorted(Comparator.comparing(Statement::minVersion, OLDEST_FIRST))
            .toList();
    for (Statement statement : oldestFirst) {
      aliases.addAll(statement.aliases());
      if (statement.row().values().containsKey("popular")) {
        popularity = popularity(statement);
      }
      lay(name, rows, statement);
    }
    return new Engine(name, aliases, popularity, List.copyOf(rows.values()));
  }

  private static Engine.Popularity popularity(Statement statement) {
    String text = statement.row().text("popular", "");
    return switch (text) {
      case "yes" -> Engine.Popularity.POPULAR;
      case "no" -> Engine.Popularity.OTHER;
      default ->
          throw statement.row().at("popular", "is '%s', but must be yes or no.".formatted(text));
    };
  }

  private static void lay(
      String engine, TreeMap<@Nullable EngineVersion, ReaderCapability> rows, Statement statement) {
    if (!rows.containsKey(statement.minVersion())) {
      Map.Entry<@Nullable EngineVersion, ReaderCapability> older =
          rows.lowerEntry(statement.minVersion());
      rows.put(
          statement.minVersion(),
          older == null
              ? unknown(engine, statement.minVersion(), statement.evidence())
              : from(older.getValue(), statement.minVersion()));
    }
    rows.computeIfPresent(
        statement.minVersion(), (version, row) -> described(row, statement.row()));
    rows.tailMap(statement.minVersion(), true)
        .replaceAll((version, row) -> with(row, statement.cells()));
  }

  /** A row that says that nothing is known. */
  static ReaderCapability unknown(
      String engine, @Nullable EngineVersion version, Evidence evidence) {
    Stated<Support> unknown = new Stated<>(new Support.Unknown(""), evidence);
    Map<DeleteFormat, Stated<Support>> deletes =
        Arrays.stream(DeleteFormat.values())
            .collect(Collectors.toMap(format -> format, format -> unknown));
    return new ReaderCapability(engine, version, ReaderCapability.Release.GA, deletes, unknown, "");
  }

  private static ReaderCapability from(ReaderCapability older, @Nullable EngineVersion version) {
    return new ReaderCapability(
        older.engine(),
        version,
        ReaderCapability.Release.GA,
        older.deletes(),
        older.formatV3(),
        "");
  }

  private static ReaderCapability described(ReaderCapability row, CapabilityRow text) {
    return new ReaderCapability(
        row.engine(),
        row.minVersion(),
        text.choice("release", ReaderCapability.Release.class, row.release()),
        row.deletes(),
        row.formatV3(),
        text.text("note", row.note()));
  }

  private static ReaderCapability with(ReaderCapability row, Map<String, Stated<Support>> cells) {
    Map<DeleteFormat, Stated<Support>> deletes =
        row.deletes().entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    entry -> cells.getOrDefault(entry.getKey().text(), entry.getValue())));
    return new ReaderCapability(
        row.engine(),
        row.minVersion(),
        row.release(),
        deletes,
        cells.getOrDefault(FORMAT_V3, row.formatV3()),
        row.note());
  }
}
