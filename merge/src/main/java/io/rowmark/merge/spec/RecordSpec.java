package io.rowmark.merge.spec;

import io.rowmark.formats.change.FieldPath;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * How files become records.
 *
 * @param frames how to read records that are framed Avro inside the file's own; null where they are
 *     not
 */
public record RecordSpec(Format format, Csv csv, @Nullable Frames frames) implements Serializable {

  /** Formats of files. */
  public enum Format {
    /** JSON objects, one a line. */
    JSON,
    /** JSON objects back to back, on many lines, or in a list. */
    JSON_DOCUMENTS,
    /** Separated values. */
    CSV,
    /** Avro object files. */
    AVRO,
    PARQUET
  }

  /** Whether a file names its fields. */
  public enum Header {
    NONE,
    FIRST_LINE
  }

  /**
   * Dialect of separated values.
   *
   * @param nullValue text that means null where it is not in quotes
   */
  public record Csv(Header header, char delimiter, char quote, String nullValue)
      implements Serializable {}

  /**
   * Records in Confluent's wire format: a zero byte, four bytes of a schema's number, then Avro; or
   * a one, sixteen bytes of a schema's UUID, then Avro.
   *
   * @param bytes where in a record the framed bytes are: bytes, or base64 text
   * @param schemas folder with a file {@code <number or UUID>.avsc} for each schema
   */
  public record Frames(FieldPath bytes, String schemas) implements Serializable {}

  /** JSON lines, the most usual. */
  public static final RecordSpec JSON_LINES =
      new RecordSpec(Format.JSON, new Csv(Header.NONE, ',', '"', "NULL"), null);
}
