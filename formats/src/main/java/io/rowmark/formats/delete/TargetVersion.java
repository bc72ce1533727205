package io.rowmark.formats.delete;

import java.util.OptionalInt;

/** The format version that a table would have with a delete format. */
final class TargetVersion {
  /** Newest table format that the rules here are written for. */
  static final int NEWEST = 3;

  private TargetVersion() {}

  /** The first format version in which a delete format exists (Iceberg table spec, Appendix E). */
  static int first(DeleteFormat format) {
    return format == DeleteFormat.DELETION_VECTOR ? 3 : 2;
  }

  /**
   * As high as the format, the table and the user's wish need, whether or not all of them can be
   * had.
   */
  static int of(DeleteRequest request, DeleteFormat format) {
    OptionalInt wanted = request.wishes().version().number();
    int least = Math.max(first(format), wanted.orElse(0));
    return request.table() instanceof TableState.Existing table
        ? Math.max(least, table.formatVersion())
        : least;
  }

  /**
   * The format version that readers and the catalog are asked about. Position deletes are not
   * written beyond version 2: where the table or a setting stands for a newer one, it is that which
   * rules them out, and not who cannot read it.
   */
  static int toRead(DeleteRequest request, DeleteFormat format) {
    return format == DeleteFormat.POSITION ? first(format) : of(request, format);
  }
}
