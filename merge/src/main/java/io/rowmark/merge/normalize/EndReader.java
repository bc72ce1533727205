package io.rowmark.merge.normalize;

import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.RecordView;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.record.RecordReader;
import io.rowmark.merge.record.RecordReaders;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.record.SourceRecord;
import io.rowmark.merge.record.SourceRecord.Broken;
import io.rowmark.merge.record.SourceRecord.Fields;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.TransactionEnd;
import io.rowmark.merge.spec.SourceSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Reads Debezium's transaction metadata: a record of status BEGIN when a transaction begins, one of
 * status END with its count of changes when it has ended.
 */
public final class EndReader {
  private final SourceSpec source;
  private final Configuration hadoop;
  private final Unwrapper unwrapper;
  private final RecordReaders readers;

  public EndReader(SourceSpec source, Configuration hadoop) {
    this.source = source;
    this.hadoop = hadoop;
    this.unwrapper = new Unwrapper(source.envelope());
    this.readers =
        new RecordReaders(source.records(), source.envelope().images(), List.of(), hadoop);
  }

  /**
   * The transactions that end in a file, in its order.
   *
   * @throws RowmarkException SOURCE when the file cannot be read, or is no transaction metadata
   */
  public List<TransactionEnd> read(InputFile file) {
    List<TransactionEnd> ends = new ArrayList<>();
    for (Slice slice : Slices.of(List.of(file), source.records().format(), hadoop)) {
      try (RecordReader records = readers.open(slice)) {
        while (records.next()) {
          TransactionEnd end = end(readers.record(records), slice, records.place());
          if (end != null) {
            ends.add(end);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return ends;
  }

  private @Nullable TransactionEnd end(SourceRecord record, Slice slice, long place) {
    if (record instanceof Broken broken) {
      throw unreadable(slice, place, broken.reason());
    }
    if (!(record instanceof Fields fields)) {
      return null;
    }
    RecordView whole =
        new RecordView(fields.values(), fields.values(), slice.fileName(), slice.file(), place, 0);
    if (!(unwrapper.unwrap(whole) instanceof Unwrapped.Change change)) {
      return null;
    }
    Map<String, @Nullable Object> value = change.record().value();
    Object status = value.get("status");
    Object id = value.get("id");
    if (status == null || id == null) {
      throw unreadable(slice, place, "it has no status and id");
    }
    if (!status.toString().equals("END")) {
      return null;
    }
    EnvelopeLayout.TransactionFields names = source.envelope().transaction();
    return new TransactionEnd(names.shared(id.toString()), changes(value, slice, place));
  }

  private static Map<String, Long> changes(
      Map<String, @Nullable Object> value, Slice slice, long place) {
    Map<String, Long> changes = new HashMap<>();
    if (value.get("data_collections") instanceof List<?> tables) {
      for (Object table : tables) {
        if (table instanceof Map<?, ?> one && one.get("data_collection") != null) {
          changes.merge(
              String.valueOf(one.get("data_collection")),
              count(one.get("event_count"), slice, place),
              Long::sum);
        }
      }
    }
    if (changes.isEmpty() && count(value.get("event_count"), slice, place) > 0) {
      throw unreadable(slice, place, "it does not say which tables were changed");
    }
    return changes;
  }

  private static long count(@Nullable Object value, Slice slice, long place) {
    String text = String.valueOf(value);
    if (!text.matches("\\d{1,18}")) {
      throw unreadable(slice, place, "an event_count is missing or no number");
    }
    return Long.parseLong(text);
  }

  private static RowmarkException unreadable(Slice slice, long place, String why) {
    return RowmarkException.source(
        "Record %d of '%s' is no transaction metadata of Debezium: %s. Correct source.transactions.topic, or set source.transactions.cut = anywhere."
            .formatted(place, slice.name(), why));
  }
}
