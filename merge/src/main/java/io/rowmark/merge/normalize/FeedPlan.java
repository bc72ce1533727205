package io.rowmark.merge.normalize;

import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.type.Fraction;
import io.rowmark.merge.spec.RecordSpec;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableFeed;
import java.io.Serializable;

/**
 * How the files of a table become changes.
 *
 * @param records how files become records
 * @param envelope how records tell changes
 * @param table what of the records is of the table
 * @param fraction what becomes of times that are finer than their column
 */
record FeedPlan(RecordSpec records, EnvelopeLayout envelope, TableFeed table, Fraction fraction)
    implements Serializable {

  static FeedPlan of(SourceSpec source, TableFeed table) {
    return new FeedPlan(source.records(), source.envelope(), table, source.fraction());
  }
}
