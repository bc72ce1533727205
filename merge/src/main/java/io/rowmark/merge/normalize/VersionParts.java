package io.rowmark.merge.normalize;

import io.rowmark.merge.record.FileValue;
import io.rowmark.merge.record.RecordReader;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.record.SourceRecord;
import io.rowmark.merge.record.SourceRecord.Fields;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.VersionRows;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The rows of versions in a task, cut where one version ends and another begins. */
final class VersionParts implements Iterator<SliceEvents.Part> {
  private final Iterator<Row> rows;
  private final FileValue value;
  private final int versionAt;
  private final Map<Long, Integer> ranks;
  private final List<InputFile> inputs;
  private long place;
  private @Nullable Row ahead;

  /**
   * @param schema of the rows
   * @param ranks rank of the input that each version is
   * @param inputs by rank
   * @param firstPlace before the place of the first row, so that no two tasks have rows of one
   *     place
   */
  VersionParts(
      Iterator<Row> rows,
      StructType schema,
      Map<Long, Integer> ranks,
      List<InputFile> inputs,
      long firstPlace) {
    this.rows = rows;
    this.value = SparkValues.of(schema);
    this.versionAt = schema.fieldIndex(VersionRows.COMMIT_VERSION);
    this.ranks = ranks;
    this.inputs = inputs;
    this.place = firstPlace;
  }

  private @Nullable Row ahead() {
    if (ahead == null && rows.hasNext()) {
      ahead = rows.next();
    }
    return ahead;
  }

  @Override
  public boolean hasNext() {
    return ahead() != null;
  }

  @Override
  public SliceEvents.Part next() {
    long version = Objects.requireNonNull(ahead()).getLong(versionAt);
    Integer rank = ranks.get(version);
    if (rank == null) {
      throw new IllegalStateException("Version " + version + " was taken to change no row");
    }
    InputFile input = inputs.get(rank);
    Slice slice =
        new Slice(input.path(), input.name(), rank, 0, input.size(), Slice.Place.RECORD_NUMBER, -1);
    return new SliceEvents.Part(slice, new Records(version));
  }

  /** The rows of one version that follow each other. */
  private final class Records implements RecordReader {
    private final long version;
    private @Nullable Row current;

    private Records(long version) {
      this.version = version;
    }

    @Override
    public boolean next() {
      Row row = ahead();
      if (row == null || row.getLong(versionAt) != version) {
        return false;
      }
      current = row;
      ahead = null;
      place++;
      return true;
    }

    @Override
    @SuppressWarnings("unchecked") // SparkValues makes text keys only
    public SourceRecord record() {
      return new Fields(
          (Map<String, @Nullable Object>) Objects.requireNonNull(value.apply(current)),
          value.struct(),
          null);
    }

    @Override
    public long place() {
      return place;
    }

    @Override
    public byte @Nullable [] bytes() {
      return null;
    }

    @Override
    public void close() {}
  }
}
