package io.rowmark.merge.normalize;

import io.rowmark.merge.record.Slice;
import io.rowmark.merge.source.InputContent;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.LandingFolder;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.RecordSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/** Cuts inputs into the slices that tasks read. */
final class Slices {
  private static final long SLICE_BYTES = 128L << 20;

  /** What a compressed byte is taken to be worth. */
  private static final long INFLATION = 8;

  private Slices() {}

  /** Slices in arrival order. */
  static List<Slice> of(TableInput input, RecordSpec.Format format, Configuration hadoop) {
    if (input.content() instanceof InputContent.TableRows rows) {
      return rows.parts().stream()
          .map(part -> Slice.of(input.files().get(part.input()).name(), part))
          .toList();
    }
    return of(input.files(), format, hadoop).stream()
        .map(slice -> slice.take(input.portions().get(slice.file())))
        .toList();
  }

  /** Slices in arrival order: plain lines of JSON in parts of 128 MiB, all else whole. */
  static List<Slice> of(List<InputFile> files, RecordSpec.Format format, Configuration hadoop) {
    CompressionCodecFactory codecs = new CompressionCodecFactory(hadoop);
    List<Slice> slices = new ArrayList<>();
    for (int rank = 0; rank < files.size(); rank++) {
      InputFile file = files.get(rank);
      Long offset = LandingFolder.startOffset(file.name());
      long startOffset = offset == null ? -1 : offset;
      boolean whole =
          format != RecordSpec.Format.JSON
              || file.size() <= SLICE_BYTES
              || codecs.getCodec(new Path(file.path())) != null;
      if (whole) {
        slices.add(
            new Slice(
                file.path(),
                file.name(),
                rank,
                0,
                file.size(),
                Slice.Place.RECORD_NUMBER,
                startOffset));
        continue;
      }
      for (long start = 0; start < file.size(); start += SLICE_BYTES) {
        long length = Math.min(SLICE_BYTES, file.size() - start);
        slices.add(new Slice(file.path(), file.name(), rank, start, length, Slice.Place.BYTE, -1));
      }
    }
    return slices;
  }

  /** Bytes of some slices as they are taken to be when they are not compressed any more. */
  static long unpackedBytes(List<Slice> slices, RecordSpec.Format format, Configuration hadoop) {
    boolean dense = format == RecordSpec.Format.AVRO || format == RecordSpec.Format.PARQUET;
    CompressionCodecFactory codecs = new CompressionCodecFactory(hadoop);
    return slices.stream()
        .mapToLong(
            slice ->
                dense || slice.rows() != null || codecs.getCodec(new Path(slice.path())) != null
                    ? slice.length() * INFLATION
                    : slice.length())
        .sum();
  }

  /**
   * Packs neighbouring slices into groups of about equal bytes, one group a task.
   *
   * @param groups how many groups at the most
   */
  static List<List<Slice>> pack(List<Slice> slices, int groups) {
    long total = slices.stream().mapToLong(Slice::length).sum();
    long target = Math.max(1, (total + groups - 1) / groups);
    List<List<Slice>> packed = new ArrayList<>();
    List<Slice> group = new ArrayList<>();
    long bytes = 0;
    for (Slice slice : slices) {
      if (!group.isEmpty() && bytes + slice.length() > target) {
        packed.add(List.copyOf(group));
        group.clear();
        bytes = 0;
      }
      group.add(slice);
      bytes += slice.length();
    }
    if (!group.isEmpty()) {
      packed.add(List.copyOf(group));
    }
    return packed;
  }
}
