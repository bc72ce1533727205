package io.rowmark.index.resolve;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.iceberg.io.FileRange;
import org.apache.iceberg.io.IOUtil;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.RangeReadable;
import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.io.ParquetFileRange;
import org.apache.parquet.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives Parquet an Iceberg stream, with few and counted reads: ranges that lie close together are
 * read at once, and parts loaded beforehand are kept until the stream is closed.
 */
final class RangedStream extends SeekableInputStream {
  private static final int LEAST_READ = 8 << 10;
  private static final int MOST_JOINED = 64 << 20;

  /** A part of the file. */
  record Range(long offset, int length) {
    long end() {
      return offset + length;
    }
  }

  private final org.apache.iceberg.io.SeekableInputStream stream;
  private final long fileLength;
  private final int maxGap;
  private final ReadMeter meter;
  private final TreeMap<Long, byte[]> loaded = new TreeMap<>();
  private long position;

  RangedStream(InputFile file, long fileLength, ReadRanges ranges, ReadMeter meter)
      throws IOException {
    this.stream = file.newStream();
    this.fileLength = fileLength;
    this.maxGap = ranges.maxGapBytes();
    this.meter = meter;
    int tail = (int) Math.min(fileLength, ranges.tailBytes());
    load(List.of(new Range(fileLength - tail, tail)));
  }

  /** Reads ranges now, so that later reads of them cost nothing. */
  void load(List<Range> ranges) throws IOException {
    List<Range> missing = ranges.stream().filter(range -> find(range) == null).toList();
    List<Range> joined = join(missing);
    List<byte[]> read = fetch(joined);
    for (int i = 0; i < joined.size(); i++) {
      loaded.put(joined.get(i).offset(), read.get(i));
    }
  }

  private List<Range> join(List<Range> ranges) {
    List<Range> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(Range::offset));
    List<Range> joined = new ArrayList<>();
    for (Range range : sorted) {
      Range last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      long end = last == null ? 0 : Math.max(last.end(), range.end());
      if (last != null
          && range.offset() - last.end() <= maxGap
          && end - last.offset() <= MOST_JOINED) {
        joined.set(joined.size() - 1, new Range(last.offset(), (int) (end - last.offset())));
      } else {
        joined.add(range);
      }
    }
    return joined;
  }

  private List<byte[]> fetch(List<Range> ranges) throws IOException {
    ranges.forEach(range -> meter.request(range.length()));
    List<byte[]> read = new ArrayList<>(ranges.size());
    if (stream instanceof RangeReadable readable) {
      List<FileRange> wanted = new ArrayList<>(ranges.size());
      for (Range range : ranges) {
        wanted.add(new FileRange(new CompletableFuture<>(), range.offset(), range.length()));
      }
      readable.readVectored(wanted, ByteBuffer::allocate);
      for (FileRange range : wanted) {
        byte[] bytes = new byte[range.length()];
        range.byteBuffer().join().duplicate().get(bytes);
        read.add(bytes);
      }
      return read;
    }
    for (Range range : ranges) {
      byte[] bytes = new byte[range.length()];
      stream.seek(range.offset());
      IOUtil.readFully(stream, bytes, 0, bytes.length);
      read.add(bytes);
    }
    return read;
  }

  /** A loaded range as a buffer from 0; null when it is not loaded as a whole. */
  private @Nullable ByteBuffer find(Range range) {
    Map.Entry<Long, byte[]> part = loaded.floorEntry(range.offset());
    if (part == null || part.getKey() + part.getValue().length < range.end()) {
      return null;
    }
    int start = (int) (range.offset() - part.getKey());
    return ByteBuffer.wrap(part.getValue(), start, range.length()).slice();
  }

  @Override
  public boolean readVectoredAvailable(ByteBufferAllocator allocator) {
    return true;
  }

  @Override
  public void readVectored(List<ParquetFileRange> ranges, ByteBufferAllocator allocator)
      throws IOException {
    List<Range> missing = new ArrayList<>();
    for (ParquetFileRange range : ranges) {
      Range wanted = new Range(range.getOffset(), range.getLength());
      ByteBuffer held = find(wanted);
      if (held == null) {
        missing.add(wanted);
      } else {
        range.setDataReadFuture(CompletableFuture.completedFuture(held));
      }
    }
    List<Range> joined = join(missing);
    List<byte[]> read = fetch(joined);
    TreeMap<Long, byte[]> byOffset = new TreeMap<>();
    for (int i = 0; i < joined.size(); i++) {
      byOffset.put(joined.get(i).offset(), read.get(i));
    }
    for (ParquetFileRange range : ranges) {
      if (range.getDataReadFuture() == null) {
        Map.Entry<Long, byte[]> part = byOffset.floorEntry(range.getOffset());
        int start = (int) (range.getOffset() - part.getKey());
        range.setDataReadFuture(
            CompletableFuture.completedFuture(
                ByteBuffer.wrap(part.getValue(), start, range.getLength()).slice()));
      }
    }
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public void seek(long newPosition) {
    position = newPosition;
  }

  @Override
  public int read() throws IOException {
    if (position >= fileLength) {
      return -1;
    }
    return take(1).get() & 0xff;
  }

  @Override
  public int read(byte[] target, int start, int length) throws IOException {
    int available = (int) Math.min(length, fileLength - position);
    if (available <= 0) {
      return length == 0 ? 0 : -1;
    }
    take(available).get(target, start, available);
    return available;
  }

  @Override
  public void readFully(byte[] target) throws IOException {
    readFully(target, 0, target.length);
  }

  @Override
  public void readFully(byte[] target, int start, int length) throws IOException {
    take(length).get(target, start, length);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int available = (int) Math.min(target.remaining(), fileLength - position);
    if (available <= 0) {
      return target.hasRemaining() ? -1 : 0;
    }
    target.put(take(available));
    return available;
  }

  @Override
  public void readFully(ByteBuffer target) throws IOException {
    target.put(take(target.remaining()));
  }

  /** The next bytes; loads at least a block, since headers are read byte by byte. */
  private ByteBuffer take(int length) throws IOException {
    if (position + length > fileLength) {
      throw new EOFException("Read past the end of the file at " + fileLength);
    }
    Range wanted = new Range(position, length);
    ByteBuffer held = find(wanted);
    if (held == null) {
      int block = (int) Math.min(Math.max(length, LEAST_READ), fileLength - position);
      load(List.of(new Range(position, block)));
      held = find(wanted);
      if (held == null) {
        throw new EOFException("Cannot read %d bytes at %d".formatted(length, position));
      }
    }
    position += length;
    return held;
  }

  @Override
  public void close() throws IOException {
    loaded.clear();
    stream.close();
  }
}
