package io.rowmark.app.config;

import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.SourceOrder;
import io.rowmark.merge.spec.BatchCut;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.SourcePlace.Folder;

/** Reads where batches may end, with regard to the transactions of the source. */
final class TransactionsSection {
  private TransactionsSection() {}

  /** Names of the ways to end a batch. */
  private enum CutName {
    ANYWHERE,
    TRANSACTIONS,
    LOG_POSITION
  }

  static BatchCut read(Section section) {
    CutName name = section.choice("cut", CutName.class);
    String topic = section.textOrNull("topic");
    if (topic != null && name != CutName.TRANSACTIONS) {
      throw section.error(
          "topic", "is set, but only cut = transactions reads it. Remove it, or set the cut.");
    }
    return switch (name) {
      case ANYWHERE -> BatchCut.ANYWHERE;
      case LOG_POSITION -> new BatchCut.LogPosition(section.duration("settle"));
      case TRANSACTIONS -> {
        if (topic == null) {
          throw section.error(
              "topic",
              "is missing, and cut = transactions needs it. Name the topic of the transaction"
                  + " metadata, as in shop.transaction.");
        }
        yield new BatchCut.Transactions(topic);
      }
    };
  }

  /** Refuses a cut that the envelope tells too little for. */
  static void check(PipelineSpec pipeline, Section transactions) {
    EnvelopeLayout envelope = pipeline.source().envelope();
    if (!(pipeline.source().place() instanceof Folder folder)) {
      return;
    }
    if (folder.cut() instanceof BatchCut.Transactions && envelope.transaction().id() == null) {
      throw transactions.error(
          "cut",
          "is transactions, but the records of the envelope %s name none. Set it to log-position, or say where the name is: source.envelope { transaction.id = ... }."
              .formatted(envelope.name()));
    }
    if (folder.cut() instanceof BatchCut.LogPosition
        && (envelope.order().choices().isEmpty()
            || envelope.order().scope() == SourceOrder.Scope.BATCH)) {
      throw transactions.error(
          "cut",
          "is log-position, but the envelope %s gives no order that holds over batches. Set it to anywhere, or describe the order: source.envelope { order = [...] }."
              .formatted(envelope.name()));
    }
  }
}
