package io.rowmark.merge.record;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.jspecify.annotations.Nullable;

/** The lines of a slice, decompressed by the file's ending, decoded strictly as UTF-8. */
final class SliceLines implements Closeable {
  private final Slice slice;
  private final LineRecordReader reader = new LineRecordReader();
  private long records;

  SliceLines(Slice slice, Configuration hadoop) {
    this.slice = slice;
    try {
      reader.initialize(
          new FileSplit(new Path(slice.path()), slice.start(), slice.length(), new String[0]),
          new TaskAttemptContextImpl(hadoop, new TaskAttemptID()));
    } catch (IOException e) {
      throw RecordReaders.unreadable(slice, e);
    }
  }

  /** Moves to the next line; false at the end. */
  boolean next() {
    try {
      boolean more = reader.nextKeyValue();
      records++;
      return more;
    } catch (IOException e) {
      throw RecordReaders.unreadable(slice, e);
    }
  }

  /** The current line; null when its bytes are no UTF-8. */
  @Nullable String line() {
    Text text = reader.getCurrentValue();
    try {
      return Text.decode(text.getBytes(), 0, text.getLength(), false);
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Bytes of the current line. */
  byte[] bytes() {
    return reader.getCurrentValue().copyBytes();
  }

  /** Place of the current line in its file, as the slice says. */
  long place() {
    return slice.place() == Slice.Place.BYTE ? reader.getCurrentKey().get() : records;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
