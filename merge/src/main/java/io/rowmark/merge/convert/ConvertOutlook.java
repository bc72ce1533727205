package io.rowmark.merge.convert;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.index.convert.ConversionOutlook;
import io.rowmark.index.publish.PublishOutlook;
import org.jspecify.annotations.Nullable;

/**
 * What a table is before the first commit, and what is to be done.
 *
 * @param conversion null when branches are followed
 * @param publication null for a conversion in place
 */
public record ConvertOutlook(
    String table,
    int formatVersion,
    DeleteFormat to,
    @Nullable ConversionOutlook conversion,
    @Nullable PublishOutlook publication) {

  public boolean isEmpty() {
    return (conversion == null || conversion.isEmpty())
        && (publication == null || publication.isEmpty());
  }
}
