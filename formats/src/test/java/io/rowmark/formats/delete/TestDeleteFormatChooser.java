package io.rowmark.formats.delete;

import static io.rowmark.formats.delete.DeleteFormat.DELETION_VECTOR;
import static io.rowmark.formats.delete.DeleteFormat.EQUALITY;
import static io.rowmark.formats.delete.DeleteFormat.POSITION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.capability.DeclaredReader;
import io.rowmark.formats.capability.EngineVersion;
import io.rowmark.formats.capability.FailureMode;
import io.rowmark.formats.capability.ReaderCapability;
import io.rowmark.formats.delete.DeleteDecision.Fits;
import io.rowmark.formats.delete.DeleteDecision.NoneFits;
import io.rowmark.formats.delete.Wishes.Upgrade;
import io.rowmark.formats.delete.Wishes.WantedVersion;
import io.rowmark.formats.failure.RowmarkException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TestDeleteFormatChooser {
  private static final CapabilityData DATA = CapabilityData.bundled();
  private static final Wishes UPGRADE =
      new Wishes(WantedDeletes.AUTO, WantedVersion.AUTO, Upgrade.ALLOWED);

  @Test
  void onlySparkTakesEqualityDeletesAndNoIndex() {
    Fits fits = fits(forReaders("spark"));

    assertThat(fits.format()).isEqualTo(EQUALITY);
    assertThat(fits.formatVersion()).isEqualTo(2);
    assertThat(fits.needs()).isEmpty();
  }

  @Test
  void snowflakeBringsPositionDeletes() {
    Fits fits = fits(forReaders("spark", "snowflake"));

    assertThat(fits.format()).isEqualTo(POSITION);
    assertThat(fits.formatVersion()).isEqualTo(2);
    assertThat(fits.needs()).containsExactly(new Need.BuildIndex());
    assertThat(fits.rulings())
        .filteredOn(Ruling::rulesOut)
        .singleElement()
        .satisfies(
            ruling -> {
              assertThat(ruling.party().text()).isEqualTo("snowflake");
              assertThat(ruling.format()).isEqualTo(EQUALITY);
              assertThat(ruling.reason()).isEqualTo("does not read equality deletes");
              assertThat(ruling.failure()).isEqualTo(FailureMode.STALE);
              assertThat(ruling.evidence()).isNotNull();
            });
  }

  @Test
  void databricksBringsDeletionVectorsAndVersionThree() {
    Fits fits = fits(forReaders("spark", "snowflake", "databricks"));

    assertThat(fits.format()).isEqualTo(DELETION_VECTOR);
    assertThat(fits.formatVersion()).isEqualTo(3);
    assertThat(fits.needs()).containsExactly(new Need.BuildIndex());
  }

  @Test
  void databricksAndDremioExcludeEachOther() {
    NoneFits none = noneFits(forReaders("spark", "databricks", "dremio"));

    assertThat(none.conflicts())
        .singleElement()
        .satisfies(
            conflict -> {
              assertThat(conflict.parties())
                  .extracting(Party::text)
                  .containsExactly("databricks", "dremio");
              assertThat(conflict.text())
                  .contains("databricks does not read position deletes")
                  .contains("dremio does not read tables of format version 3");
            });
    assertThat(none.remedies())
        .extracting(Remedy::text)
        .containsExactly(
            "take databricks off the readers: then position on format version 2 fits",
            "take dremio off the readers: then deletion-vector on format version 3 fits");
  }

  @Test
  void aPreviewCountsOnlyWhenItIsAllowedByName() {
    DeleteRequest request = forReaders("databricks", "dremio-cloud");
    NoneFits none = noneFits(request);
    assertThat(none.remedies())
        .first()
        .satisfies(
            remedy ->
                assertThat(remedy.text())
                    .startsWith("allow \"dremio-cloud/preview\" (Iceberg v3 is a preview"));

    Audience allowing =
        Audience.of(List.of("databricks", "dremio-cloud"), List.of("dremio-cloud/preview"), DATA);
    assertThat(fits(request.with(allowing)).format()).isEqualTo(DELETION_VECTOR);
  }

  @Test
  void anotherProductsConditionAllowsNothing() {
    Audience allowing =
        Audience.of(List.of("databricks", "dremio-cloud"), List.of("bigquery/preview"), DATA);

    noneFits(forReaders("databricks").with(allowing));
  }

  @Test
  void anOldVersionIsToldTheVersionThatWouldDo() {
    NoneFits none = noneFits(forReaders("databricks", "trino 440"));

    assertThat(none.remedies())
        .first()
        .isEqualTo(
            new Remedy(
                List.of(
                    new Remedy.RaiseReader(
                        new DeclaredReader("trino", new EngineVersion("440")),
                        new EngineVersion("480"),
                        ReaderCapability.Release.GA)),
                DELETION_VECTOR,
                3));
  }

  @Test
  void aVersionTwoTableIsUpgradedOnlyWithPermission() {
    DeleteRequest request = on(existing(2), "databricks");
    NoneFits none = noneFits(request);
    assertThat(none.conflicts().get(0).parties())
        .extracting(Party::text)
        .containsExactly("the table", "databricks");
    assertThat(none.conflicts().get(0).text())
        .contains("the table is of format version 2, and an upgrade to 3 is not allowed");
    assertThat(none.remedies())
        .extracting(Remedy::steps)
        .containsExactly(List.of(new Remedy.AllowUpgrade()));

    Fits fits = fits(request.with(UPGRADE));
    assertThat(fits.needs()).hasSize(2).last().isEqualTo(new Need.BuildIndex());
    assertThat(fits.needs().get(0))
        .isInstanceOfSatisfying(
            Need.UpgradeFormat.class,
            upgrade -> {
              assertThat(upgrade.from()).isEqualTo(2);
              assertThat(upgrade.to()).isEqualTo(3);
              assertThat(upgrade.lockedOut())
                  .contains("athena", "bigquery", "dremio", "starrocks")
                  .doesNotContain("spark", "databricks", "snowflake");
            });
  }

  @Test
  void thePermissionAloneUpgradesNothing() {
    Fits fits = fits(on(existing(2), "spark", "snowflake").with(UPGRADE));

    assertThat(fits.format()).isEqualTo(POSITION);
    assertThat(fits.needs()).containsExactly(new Need.BuildIndex());
  }

  @Test
  void onVersionThreeThereAreNoNewPositionDeletes() {
    assertThat(fits(on(existing(3), "spark", "snowflake")).format()).isEqualTo(DELETION_VECTOR);
    assertThat(fits(on(existing(3), "spark")).format()).isEqualTo(EQUALITY);

    NoneFits athena = noneFits(on(existing(3), "athena").with(UPGRADE));
    assertThat(athena.conflicts())
        .singleElement()
        .satisfies(
            conflict ->
                assertThat(conflict.parties())
                    .extracting(Party::text)
                    .containsExactly("the table", "athena"));
    assertThat(athena.remedies()).isEmpty();
  }

  @Test
  void aVersionOneTableMustBeRaisedFirst() {
    NoneFits none = noneFits(on(existing(1), "spark"));
    assertThat(none.conflicts())
        .singleElement()
        .satisfies(
            conflict ->
                assertThat(conflict.text())
                    .contains("is of format version 1, and an upgrade to 2 is not allowed"));

    Fits fits = fits(on(existing(1), "spark").with(UPGRADE));
    assertThat(fits.format()).isEqualTo(EQUALITY);
    assertThat(fits.needs()).containsExactly(new Need.UpgradeFormat(1, 2, List.of()));
  }

  @Test
  void aTableOfAnUnknownVersionIsLeftAlone() {
    NoneFits none = noneFits(on(existing(4), "spark").with(UPGRADE));

    assertThat(none.conflicts())
        .singleElement()
        .satisfies(
            conflict ->
                assertThat(conflict.text())
                    .isEqualTo("the table is of format version 4; Rowmark knows versions up to 3"));
    assertThat(none.remedies()).isEmpty();
  }

  @Test
  void equalityDeletesInTheTableGoWhenAnIndexTakesOver() {
    Fits fits = fits(on(existing(2, EQUALITY), "spark", "snowflake"));

    assertThat(fits.needs())
        .containsExactly(new Need.ConvertDeletes(Set.of(EQUALITY)), new Need.BuildIndex());
    assertThat(fits(on(existing(2, EQUALITY), "spark")).needs()).isEmpty();
  }

  @Test
  void positionDeletesLeftOnVersionThreeGoOnlyWhereSomeoneCannotReadThem() {
    assertThat(fits(on(existing(3, POSITION, DELETION_VECTOR), "spark", "snowflake")).needs())
        .containsExactly(new Need.BuildIndex());
    assertThat(fits(on(existing(3, POSITION, DELETION_VECTOR), "spark", "databricks")).needs())
        .containsExactly(new Need.ConvertDeletes(Set.of(POSITION)), new Need.BuildIndex());
    assertThat(fits(on(existing(3, POSITION, DELETION_VECTOR), "spark")).needs()).isEmpty();
  }

  @Test
  void aFixedFormatRulesTheOthersOut() {
    Wishes position = new Wishes(WantedDeletes.POSITION, WantedVersion.AUTO, Upgrade.REFUSED);
    assertThat(fits(forReaders("spark").with(position)).format()).isEqualTo(POSITION);

    NoneFits none = noneFits(on(existing(3), "spark").with(position));
    assertThat(none.conflicts().get(0).parties())
        .extracting(Party::text)
        .containsExactly("setting delete-format", "the table");
    assertThat(none.remedies())
        .extracting(Remedy::text)
        .containsExactly("set delete-format = auto: then equality on format version 3 fits");
  }

  @Test
  void aFixedVersionIsKept() {
    Wishes three = new Wishes(WantedDeletes.AUTO, WantedVersion.V3, Upgrade.REFUSED);
    assertThat(fits(forReaders("spark").with(three)).formatVersion()).isEqualTo(3);
    assertThat(fits(forReaders("spark").with(three)).format()).isEqualTo(EQUALITY);
    assertThat(fits(forReaders("snowflake").with(three)).format()).isEqualTo(DELETION_VECTOR);

    Wishes two = new Wishes(WantedDeletes.AUTO, WantedVersion.V2, Upgrade.REFUSED);
    NoneFits none = noneFits(forReaders("databricks").with(two));
    assertThat(none.conflicts().get(0).text())
        .contains(
            "setting format-version asks for version 2, which has no deletion-vector deletes");
    assertThat(none.remedies())
        .extracting(Remedy::steps)
        .containsExactly(List.of(new Remedy.FreeVersion()));
    assertThat(noneFits(on(existing(3), "spark").with(two)).conflicts().get(0).text())
        .contains("asks for version 2, but the table is of version 3, and there is no way back");
  }

  @Test
  void theCatalogHasASay() {
    DeleteRequest onNessie =
        new DeleteRequest(
            Audience.of(List.of("spark", "databricks"), List.of(), DATA),
            DATA.catalog("nessie"),
            new TableState.New(),
            Wishes.NONE,
            DATA);

    NoneFits none = noneFits(onNessie);
    assertThat(none.conflicts())
        .singleElement()
        .satisfies(
            conflict ->
                assertThat(conflict.parties())
                    .extracting(Party::text)
                    .containsExactly("catalog nessie", "databricks"));
    assertThat(none.remedies())
        .extracting(Remedy::text)
        .containsExactlyInAnyOrder(
            "take databricks off the readers: then equality on format version 2 fits",
            "use another catalog than nessie: then deletion-vector on format version 3 fits");
  }

  @Test
  void anUnknownCatalogRulesNothingOutAndIsSaid() {
    assertThat(fits(forReaders("spark")).rulings())
        .filteredOn(ruling -> ruling.party() instanceof Party.UnknownCatalog)
        .hasSize(3)
        .allSatisfy(
            ruling -> {
              assertThat(ruling.rulesOut()).isFalse();
              assertThat(ruling.reason()).contains("not in the capability data");
            });
  }

  @Test
  void whatIsUnknownCountsAsNo() {
    Fits fits = fits(forReaders("redshift"));

    assertThat(fits.format()).isEqualTo(POSITION);
    assertThat(fits.rulings())
        .filteredOn(Ruling::rulesOut)
        .extracting(Ruling::reason)
        .containsExactly("is not known to read equality deletes");
  }

  @Test
  void readersMustBeNamed() {
    assertThatThrownBy(() -> Audience.of(List.of(), List.of(), DATA))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("readers is empty")
        .hasMessageContaining("readers = [spark, \"trino 480\"]");
  }

  private static DeleteRequest forReaders(String... readers) {
    return on(new TableState.New(), readers);
  }

  private static DeleteRequest on(TableState table, String... readers) {
    return new DeleteRequest(
        Audience.of(Arrays.asList(readers), List.of(), DATA), null, table, Wishes.NONE, DATA);
  }

  private static TableState existing(int version, DeleteFormat... present) {
    return new TableState.Existing(version, Set.of(present));
  }

  private static Fits fits(DeleteRequest request) {
    DeleteDecision decision = DeleteFormatChooser.choose(request);
    assertThat(decision).isInstanceOf(Fits.class);
    return (Fits) decision;
  }

  private static NoneFits noneFits(DeleteRequest request) {
    DeleteDecision decision = DeleteFormatChooser.choose(request);
    assertThat(decision).isInstanceOf(NoneFits.class);
    return (NoneFits) decision;
  }
}
