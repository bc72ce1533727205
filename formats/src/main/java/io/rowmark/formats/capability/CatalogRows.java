package io.rowmark.formats.capability;

import io.rowmark.formats.delete.DeleteFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts the rows of catalogs together; a later layer replaces single cells. */
final class CatalogRows {
  static final String STAGED_CREATE = "staged-create";
  static final String MULTI_TABLE_COMMIT = "multi-table-commit";

  /** A catalog with its other names. */
  record Entry(CatalogCapability capability, Set<String> aliases) {}

  private CatalogRows() {}

  static Map<String, Entry> over(Map<String, Entry> known, List<CapabilityRow> rows) {
    Names names = Names.ofCatalogs(aliases(known));
    Set<String> cellKeys = new TreeSet<>(ReaderRows.cellKeys());
    cellKeys.add(STAGED_CREATE);
    Map<String, List<Statement>> byCatalog = new LinkedHashMap<>();
    for (CapabilityRow row : rows) {
      Statement statement = Statement.read(row, "catalog", cellKeys, Set.of(MULTI_TABLE_COMMIT));
      byCatalog
          .computeIfAbsent(names.nameOf(statement.product()), name -> new ArrayList<>())
          .add(statement);
    }
    Map<String, Entry> catalogs = new TreeMap<>(known);
    byCatalog.forEach(
        (name, statements) -> catalogs.put(name, entry(name, known.get(name), statements)));
    return catalogs;
  }

  static Map<String, Set<String>> aliases(Map<String, Entry> catalogs) {
    return catalogs.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().aliases()));
  }

  private static Entry entry(String name, @Nullable Entry known, List<Statement> statements) {
    Contradictions.refuse(name, statements);
    refuseTwoCommits(name, statements);
    Set<String> aliases = new TreeSet<>(known == null ? Set.of() : known.aliases());
    CatalogCapability capability =
        known == null ? unknown(name, statements.get(0).evidence()) : known.capability();
    for (Statement statement : statements) {
      aliases.addAll(statement.aliases());
      capability = with(capability, statement);
    }
    return new Entry(capability, aliases);
  }

  private static void refuseTwoCommits(String name, List<Statement> statements) {
    Map<MultiTableCommit, Statement> said = new TreeMap<>();
    for (Statement statement : statements) {
      if (statement.row().values().containsKey(MULTI_TABLE_COMMIT)) {
        said.put(commit(statement), statement);
      }
    }
    if (said.size() > 1) {
      List<Map.Entry<MultiTableCommit, Statement>> two = List.copyOf(said.entrySet());
      throw two.get(1)
          .getValue()
          .row()
          .at(
              MULTI_TABLE_COMMIT,
              "is said to be %s here and %s at %s. Remove one of the two."
                  .formatted(
                      two.get(1).getKey().text(),
                      two.get(0).getKey().text(),
                      two.get(0).getValue().row().origin()));
    }
  }

  private static CatalogCapability unknown(String name, Evidence evidence) {
    Stated<Support> unknown = new Stated<>(new Support.Unknown(""), evidence);
    Map<DeleteFormat, Stated<Support>> deletes =
        Arrays.stream(DeleteFormat.values())
            .collect(Collectors.toMap(format -> format, format -> unknown));
    return new CatalogCapability(
        name, deletes, unknown, new Stated<>(MultiTableCommit.UNKNOWN, evidence), unknown, "");
  }

  private static CatalogCapability with(CatalogCapability catalog, Statement statement) {
    Map<String, Stated<Support>> cells = statement.cells();
    Map<DeleteFormat, Stated<Support>> deletes =
        catalog.deletes().entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    entry -> cells.getOrDefault(entry.getKey().text(), entry.getValue())));
    Stated<MultiTableCommit> commit =
        statement.row().values().containsKey(MULTI_TABLE_COMMIT)
            ? new Stated<>(commit(statement), statement.evidence())
            : catalog.multiTableCommit();
    return new CatalogCapability(
        catalog.name(),
        deletes,
        cells.getOrDefault(ReaderRows.FORMAT_V3, catalog.formatV3()),
        commit,
        cells.getOrDefault(STAGED_CREATE, catalog.stagedCreate()),
        statement.row().text("note", catalog.note()));
  }

  private static MultiTableCommit commit(Statement statement) {
    return statement
        .row()
        .choice(MULTI_TABLE_COMMIT, MultiTableCommit.class, MultiTableCommit.UNKNOWN);
  }
}
