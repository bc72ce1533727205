package io.rowmark.merge.convert;

import io.rowmark.index.convert.SliceReport;
import io.rowmark.index.publish.PublishReport;
import java.util.List;

/**
 * What a run did to a table.
 *
 * @param before what was to be done
 * @param after what is left: commits that the limits cut off, and what others wrote meanwhile
 * @param slices commits of a conversion in place
 * @param publications commits that followed a branch
 * @param notes what became of the index, for people
 */
public record ConvertReport(
    ConvertOutlook before,
    ConvertOutlook after,
    List<SliceReport> slices,
    List<PublishReport> publications,
    List<String> notes,
    long millis) {
  public ConvertReport {
    slices = List.copyOf(slices);
    publications = List.copyOf(publications);
    notes = List.copyOf(notes);
  }
}
