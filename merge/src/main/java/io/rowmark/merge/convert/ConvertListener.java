package io.rowmark.merge.convert;

import io.rowmark.index.convert.SliceReport;
import io.rowmark.index.publish.PublishReport;

/** Told how a conversion goes on. */
public interface ConvertListener {
  /** A table is begun. */
  void begins(ConvertOutlook outlook);

  /** A commit in place is done. */
  void committed(SliceReport slice);

  /** A commit of the target branch is done. */
  void published(PublishReport publication);
}
