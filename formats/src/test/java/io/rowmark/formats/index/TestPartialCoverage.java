package io.rowmark.formats.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.index.PartialCoverage.Round;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TestPartialCoverage {
  private static final PartialCoverage BEGIN =
      PartialCoverage.of(IndexCoverage.of(new UUID(1, 2), 7L, "1:long", null));

  @Test
  void aRoundOfTheSameTargetReplacesTheOneBefore() {
    assertThat(
            BEGIN
                .after(new Round(8, "a"))
                .after(new Round(8, "b"))
                .after(new Round(9, "a"))
                .rounds())
        .containsExactly(new Round(8, "b"), new Round(9, "a"));
  }

  /** Those who look for a claim must find none. */
  @Test
  void itsSummaryHoldsNoClaim() {
    PartialCoverage partial = BEGIN.after(new Round(8, "s3://a b/c d.parquet"));
    assertThat(IndexCoverage.of(partial.toSummary())).isEmpty();
    assertThat(partial.toSummary())
        .containsEntry("rowmark.former-data-snapshot", "7")
        .containsEntry("rowmark.reconciled-0", "8 s3://a b/c d.parquet");
  }
}
