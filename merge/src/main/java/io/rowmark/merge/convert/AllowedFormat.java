package io.rowmark.merge.convert;

import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.delete.DeleteFormatChooser;
import io.rowmark.formats.delete.DeleteRequest;
import io.rowmark.formats.delete.Ruling;
import io.rowmark.formats.delete.TableState;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.verdict.DeclaredReaders;
import io.rowmark.merge.plan.ReaderContract;
import io.rowmark.merge.spec.CapabilitySpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.jspecify.annotations.Nullable;

/**
 * Which deletes a table may be converted to: what its format version has, if its readers and what
 * it promised them allow it.
 *
 * @param spec how the table is configured; null for one that is not
 */
public record AllowedFormat(CapabilitySpec capabilities, String name, @Nullable TableSpec spec)
    implements Function<Table, DeleteFormat> {
  private static final int FIRST_WITH_DELETES = 2;
  private static final int NEWEST = 3;

  /**
   * @throws RowmarkException TABLE_STATE when the format version has no deletes by position or is
   *     not known; CONFIG when the contract says otherwise or a declared reader does not read them
   */
  @Override
  public DeleteFormat apply(Table table) {
    int version = TableUtil.formatVersion(table);
    if (version < FIRST_WITH_DELETES || version > NEWEST) {
      throw RowmarkException.tableState(
          "Table %s has format version %d; deletes are converted on versions %d and %d. Nothing was changed."
              .formatted(name, version, FIRST_WITH_DELETES, NEWEST));
    }
    DeleteFormat format = DeleteFormat.positional(version);
    Optional<ReaderContract> contract = ReaderContract.of(table.properties());
    if (contract.isPresent() && contract.get().format() != format) {
      throw RowmarkException.config(
          "Table %s promised its readers (%s) deletes of the kind %s, and on its format version %d they would become %s. Nothing was changed. 'rowmark plan' shows how to change the promise, and 'rowmark plan --apply' does it, conversion and upgrade included."
              .formatted(
                  name,
                  String.join(", ", contract.get().readers()),
                  contract.get().format().text(),
                  version,
                  format.text()));
    }
    audience(table).ifPresent(readers -> check(readers, format, version));
    return format;
  }

  private Optional<Audience> audience(Table table) {
    List<String> declared = DeclaredReaders.of(table.properties());
    if (!declared.isEmpty()) {
      List<String> allowed =
          DeclaredReaders.parse(table.properties().getOrDefault(ReaderContract.ALLOWED, ""));
      return Optional.of(Audience.of(declared, allowed, capabilities.data()));
    }
    return Optional.ofNullable(spec).map(one -> one.readers().audience());
  }

  private void check(Audience readers, DeleteFormat format, int version) {
    DeleteRequest request =
        new DeleteRequest(
            readers,
            capabilities.catalog(),
            new TableState.Existing(version, Set.of()),
            Wishes.NONE,
            capabilities.data());
    List<Ruling> against =
        DeleteFormatChooser.choose(request).rulings().stream()
            .filter(ruling -> ruling.format() == format && ruling.rulesOut())
            .toList();
    if (!against.isEmpty()) {
      throw RowmarkException.config(
          "Table %s must not get deletes of the kind %s: %s. Nothing was changed. Correct the declared readers (table property %s, or readers in the configuration), or leave the table as it is."
              .formatted(
                  name,
                  format.text(),
                  against.stream()
                      .map(ruling -> "%s %s".formatted(ruling.party().text(), ruling.reason()))
                      .distinct()
                      .collect(Collectors.joining("; ")),
                  DeclaredReaders.PROPERTY));
    }
  }
}
