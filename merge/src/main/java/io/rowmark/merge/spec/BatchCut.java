package io.rowmark.merge.spec;

import java.io.Serializable;
import java.time.Duration;

/** Where a batch may end, with regard to the transactions of the source. */
public sealed interface BatchCut extends Serializable {
  /** Anywhere. */
  BatchCut ANYWHERE = new Anywhere();

  /** Between any two files. */
  record Anywhere() implements BatchCut {}

  /**
   * Between source transactions, in the order in which they ended.
   *
   * @param topic where the source tells of the ends of transactions, and which changes they have
   */
  record Transactions(String topic) implements BatchCut {}

  /**
   * At one position of the source's log for all tables. The limits of a batch do not hold: a file
   * that is left out may have changes of before the position.
   *
   * @param settle how much later than in one topic's files the changes of the same time may land in
   *     another's
   */
  record LogPosition(Duration settle) implements BatchCut {}
}
