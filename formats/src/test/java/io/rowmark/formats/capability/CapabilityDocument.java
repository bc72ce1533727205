package io.rowmark.formats.capability;

import io.rowmark.formats.delete.DeleteFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** The bundled capability data as a page. */
record CapabilityDocument(CapabilityData data) {

  String markdown() {
    List<String> lines = new ArrayList<>();
    lines.add(head());
    lines.add("| reader | equality | position | deletion vector | format v3 | from |");
    lines.add("| --- | --- | --- | --- | --- | --- |");
    data.engines().forEach(engine -> data.rows(engine).forEach(row -> lines.add(line(row))));
    lines.add("");
    lines.add("### Notes on readers");
    lines.add("");
    data.engines().forEach(engine -> data.rows(engine).forEach(row -> lines.addAll(notes(row))));
    lines.add("");
    lines.add("### Other names of readers");
    lines.add("");
    for (String engine : data.engines()) {
      addAliases(lines, engine, data.aliasesOfEngine(engine));
    }
    lines.add("");
    lines.add("## Catalogs");
    lines.add("");
    lines.add(
        "| catalog | equality | position | deletion vector | format v3 | multi-table commit |"
            + " staged create | from |");
    lines.add("| --- | --- | --- | --- | --- | --- | --- | --- |");
    data.catalogs().forEach(name -> lines.add(line(data.catalog(name))));
    lines.add("");
    lines.add("### Notes on catalogs");
    lines.add("");
    data.catalogs().forEach(name -> lines.addAll(notes(data.catalog(name))));
    lines.add("");
    lines.add("### Other names of catalogs");
    lines.add("");
    for (String catalog : data.catalogs()) {
      addAliases(lines, catalog, data.aliasesOfCatalog(catalog));
    }
    return String.join("\n", lines) + "\n";
  }

  private String head() {
    return """
    # Readers and catalogs
    <!-- Made from formats/src/main/resources/rowmark-capabilities.conf; edit that file, then run
         mvn -pl formats -am test -Dtest=TestCapabilityDocument -Drowmark.docs=write -Dsurefire.failIfNoSpecifiedTests=false -->

    Which delete files each reader applies, and which each catalog accepts, as far as it was known on
    %s. These facts age in weeks. Each has its source and date in
    [the data file](../formats/src/main/resources/rowmark-capabilities.conf), whose head says how to read
    it. The section `capabilities` of a configuration replaces single ones, and adds readers and
    catalogs, in the same form.

    - Readers are declared as an engine, or an engine and the oldest version in use: `readers = [trino,
      "duckdb 1.4"]`. Without a version the newest release that is generally available counts.
    - *unknown* counts as no. *partial* counts as no unless the user allows its condition, as in
      `dremio/partition-scoped-only`.
    - After *no* and *else* stands what happens when a table holds such deletes all the same: *error*;
      *wrong-rows*, deleted rows come back without a word; *stale*, an older snapshot is served;
      *fallback*, another, slower reader takes over.

    ## Readers
    """
        .formatted(data.asOf());
  }

  private static String line(ReaderCapability row) {
    return "| %s | %s | %s | %s | %s | %s |"
        .formatted(
            row.text() + (row.release() == ReaderCapability.Release.GA ? "" : " (preview)"),
            cell(row.deletes(DeleteFormat.EQUALITY)),
            cell(row.deletes(DeleteFormat.POSITION)),
            cell(row.deletes(DeleteFormat.DELETION_VECTOR)),
            cell(row.formatV3()),
            sources(
                List.of(
                    row.deletes(DeleteFormat.EQUALITY),
                    row.deletes(DeleteFormat.POSITION),
                    row.deletes(DeleteFormat.DELETION_VECTOR),
                    row.formatV3())));
  }

  private static String line(CatalogCapability row) {
    return "| %s | %s | %s | %s | %s | %s | %s | %s |"
        .formatted(
            row.name(),
            cell(row.deletes(DeleteFormat.EQUALITY)),
            cell(row.deletes(DeleteFormat.POSITION)),
            cell(row.deletes(DeleteFormat.DELETION_VECTOR)),
            cell(row.formatV3()),
            row.multiTableCommit().value().text(),
            cell(row.stagedCreate()),
            sources(
                List.of(
                    row.deletes(DeleteFormat.EQUALITY),
                    row.deletes(DeleteFormat.POSITION),
                    row.deletes(DeleteFormat.DELETION_VECTOR),
                    row.formatV3(),
                    row.multiTableCommit())));
  }

  private static String cell(Stated<Support> stated) {
    return stated.value().text();
  }

  private static String sources(List<? extends Stated<?>> cells) {
    return cells.stream()
        .map(stated -> stated.evidence().text())
        .distinct()
        .collect(Collectors.joining("; "));
  }

  private static List<String> notes(ReaderCapability row) {
    List<String> notes = new ArrayList<>();
    add(notes, row.text(), row.note());
    for (DeleteFormat format : DeleteFormat.values()) {
      add(notes, row.text() + ", " + format.text(), row.deletes(format).value().note());
    }
    add(notes, row.text() + ", format v3", row.formatV3().value().note());
    return notes;
  }

  private static List<String> notes(CatalogCapability row) {
    List<String> notes = new ArrayList<>();
    add(notes, row.name(), row.note());
    for (DeleteFormat format : DeleteFormat.values()) {
      add(notes, row.name() + ", " + format.text(), row.deletes(format).value().note());
    }
    add(notes, row.name() + ", format v3", row.formatV3().value().note());
    add(notes, row.name() + ", staged create", row.stagedCreate().value().note());
    return notes;
  }

  private static void add(List<String> notes, String of, String note) {
    if (!note.isEmpty()) {
      notes.add("- %s: %s".formatted(of, note));
    }
  }

  private static void addAliases(List<String> lines, String name, SortedSet<String> aliases) {
    if (!aliases.isEmpty()) {
      lines.add("- %s: %s".formatted(name, String.join(", ", aliases)));
    }
  }
}
