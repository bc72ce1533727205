package io.rowmark.index.resolve;

import io.rowmark.formats.key.KeyBounds;
import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.key.KeyRange;
import io.rowmark.formats.key.SortedKeys;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.iceberg.DataFile;

/**
 * What a lookup is going to read, guessed from the manifests: keys are taken to lie in a file as
 * evenly as its bounds allow. Good for choosing a way, not for promises.
 *
 * @param files index files to open
 * @param pages pages of the first key column to decode
 * @param bytes of index files
 * @param requests ranged reads
 * @param all the whole index, which a scan would read
 */
public record LookupEstimate(int files, long pages, long bytes, long requests, Size all)
    implements Serializable {
  /** For an index without files. */
  public static final LookupEstimate NONE = new LookupEstimate(0, 0, 0, 0, new Size(0, 0, 0, 0));

  /** Page index of one page: bounds of the key, and places of three columns' pages. */
  private static final long PAGE_INDEX_BYTES = 60;

  /** A file costs at least the footer; key indexes and place indexes are asked for apart. */
  private static final int INDEX_REQUESTS = 2;

  /** Key pages and place pages lie apart. */
  private static final int PARTS = 2;

  /**
   * How large an index is.
   *
   * @param entries hidden ones included
   */
  public record Size(int files, long entries, long pages, long bytes) implements Serializable {
    Size plus(Size other) {
      return new Size(
          files + other.files, entries + other.entries, pages + other.pages, bytes + other.bytes);
    }
  }

  LookupEstimate plus(LookupEstimate other) {
    return new LookupEstimate(
        files + other.files,
        pages + other.pages,
        bytes + other.bytes,
        requests + other.requests,
        all.plus(other.all));
  }

  static LookupEstimate of(
      DataFile file,
      SortedKeys keys,
      KeyRange range,
      KeyBounds bounds,
      ReadRanges ranges,
      int rowsPerPage) {
    long bytes = file.fileSizeInBytes();
    long pages = Math.max(1, (file.recordCount() + rowsPerPage - 1) / rowsPerPage);
    Size size = new Size(1, file.recordCount(), pages, bytes);
    if (range.isEmpty()) {
      return new LookupEstimate(0, 0, 0, 0, size);
    }
    Spread spread = Spread.of(keys, range, bounds, pages, ranges.maxGapBytes() * pages / bytes);
    if (bytes <= ranges.tailBytes()) {
      return new LookupEstimate(1, spread.pages, bytes, 1, size);
    }
    long read = ranges.tailBytes() + pages * PAGE_INDEX_BYTES + spread.span * bytes / pages;
    long requests = 1 + INDEX_REQUESTS + (long) PARTS * spread.runs;
    return new LookupEstimate(1, spread.pages, Math.min(bytes, read), requests, size);
  }

  /**
   * @param pages with wanted keys
   * @param span pages read, those in small gaps included
   * @param runs of pages without large gaps
   */
  private record Spread(long pages, long span, long runs) {
    static Spread of(
        SortedKeys keys, KeyRange range, KeyBounds bounds, long filePages, long maxGapPages) {
      Object lower = bounds.lower(0);
      Object upper = bounds.upper(0);
      if (lower == null || upper == null || KeyForm.compare(lower, upper) == 0) {
        double missed = Math.pow(1 - 1.0 / filePages, range.size());
        long hit = Math.max(1, Math.round(filePages * (1 - missed)));
        return new Spread(hit, Math.min(filePages, hit * 2), hit);
      }
      Scale scale = new Scale(lower, upper);
      long pages = 0;
      long span = 0;
      long runs = 0;
      long last = Long.MIN_VALUE;
      for (int ordinal = range.from(); ordinal < range.to(); ordinal++) {
        double share = scale.share(keys.value(ordinal, 0));
        long page = Math.min(filePages - 1, (long) (share * filePages));
        if (page == last) {
          continue;
        }
        boolean joins = last >= 0 && page - last - 1 <= maxGapPages;
        pages++;
        span += joins ? page - last : 1;
        runs += joins ? 0 : 1;
        last = page;
      }
      return new Spread(pages, span, runs);
    }
  }

  /** Where between two bounds a value lies; bytes as binary fractions behind the common prefix. */
  private static final class Scale {
    private static final int DIGITS = 6;

    private final int prefix;
    private final double lower;
    private final double width;

    Scale(Object lower, Object upper) {
      this.prefix =
          lower instanceof byte[] bytes ? Math.max(0, Arrays.mismatch(bytes, (byte[]) upper)) : 0;
      this.lower = number(lower);
      this.width = Math.max(Double.MIN_NORMAL, number(upper) - this.lower);
    }

    double share(Object value) {
      return Math.max(0, Math.min(1, (number(value) - lower) / width));
    }

    private double number(Object value) {
      if (value instanceof Long number) {
        return number;
      }
      byte[] bytes = (byte[]) value;
      double number = 0;
      for (int i = prefix; i < prefix + DIGITS; i++) {
        number = number * 256 + (i < bytes.length ? bytes[i] & 0xff : 0);
      }
      return number;
    }
  }
}
