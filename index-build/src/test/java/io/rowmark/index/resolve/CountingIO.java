package io.rowmark.index.resolve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.IOUtil;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;

/** Passes reads on and notes each file opened and each read asked for. */
final class CountingIO implements FileIO {
  /** Whether streams can read ranges, as those of object stores can. */
  enum Streams {
    SEEKABLE,
    RANGED
  }

  record Read(String file, long offset, int length) {}

  private final FileIO io;
  private final Streams streams;
  private final List<String> opened = new ArrayList<>();
  private final List<Read> reads = new ArrayList<>();

  CountingIO(FileIO io, Streams streams) {
    this.io = io;
    this.streams = streams;
  }

  /** The same table, read through this. */
  Table counted(Table table) {
    TableOperations operations = ((HasTableOperations) table).operations();
    return new BaseTable(new Operations(operations, this), table.name());
  }

  List<String> opened() {
    return opened;
  }

  List<Read> reads() {
    return reads;
  }

  long bytes() {
    return reads.stream().mapToLong(Read::length).sum();
  }

  @Override
  public InputFile newInputFile(String path) {
    return new Counted(io.newInputFile(path));
  }

  @Override
  public InputFile newInputFile(String path, long length) {
    return new Counted(io.newInputFile(path, length));
  }

  @Override
  public OutputFile newOutputFile(String path) {
    return io.newOutputFile(path);
  }

  @Override
  public void deleteFile(String path) {
    io.deleteFile(path);
  }

  private final class Counted implements InputFile {
    private final InputFile file;

    Counted(InputFile file) {
      this.file = file;
    }

    @Override
    public long getLength() {
      return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() {
      opened.add(location());
      SeekableInputStream stream = file.newStream();
      return streams == Streams.RANGED
          ? new RangedReads(location(), stream)
          : new Reads(location(), stream);
    }

    @Override
    public String location() {
      return file.location();
    }

    @Override
    public boolean exists() {
      return file.exists();
    }
  }

  private class Reads extends SeekableInputStream {
    protected final String file;
    protected final SeekableInputStream stream;

    Reads(String file, SeekableInputStream stream) {
      this.file = file;
      this.stream = stream;
    }

    @Override
    public long getPos() throws IOException {
      return stream.getPos();
    }

    @Override
    public void seek(long position) throws IOException {
      stream.seek(position);
    }

    @Override
    public int read() throws IOException {
      reads.add(new Read(file, getPos(), 1));
      return stream.read();
    }

    @Override
    public int read(byte[] bytes, int start, int length) throws IOException {
      reads.add(new Read(file, getPos(), length));
      return stream.read(bytes, start, length);
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  private final class RangedReads extends Reads implements RangeReadable {
    RangedReads(String file, SeekableInputStream stream) {
      super(file, stream);
    }

    @Override
    public void readFully(long position, byte[] bytes, int start, int length) throws IOException {
      reads.add(new Read(file, position, length));
      stream.seek(position);
      IOUtil.readFully(stream, bytes, start, length);
    }

    @Override
    public int readTail(byte[] bytes, int start, int length) {
      throw new UnsupportedOperationException("The length is known from the manifest");
    }
  }

  private record Operations(TableOperations operations, FileIO io) implements TableOperations {
    @Override
    public TableMetadata current() {
      return operations.current();
    }

    @Override
    public TableMetadata refresh() {
      return operations.refresh();
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      operations.commit(base, metadata);
    }

    @Override
    public String metadataFileLocation(String name) {
      return operations.metadataFileLocation(name);
    }

    @Override
    public LocationProvider locationProvider() {
      return LocationProviders.locationsFor(current().location(), current().properties());
    }
  }
}
