package io.rowmark.app.embedded;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a catalog directory to one owner. H2 locks its file against other processes only: within
 * one process a second opener would share the database unseen, so this lock stands before it. The
 * operating system drops it when the process dies, however it dies.
 */
final class DirectoryLock implements AutoCloseable {
  private static final String FILE_NAME = "catalog.lock";

  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock, creating the directory when it is missing.
   *
   * @throws RowmarkException when another catalog has the directory open, or it cannot be written
   */
  static DirectoryLock acquire(Path directory) {
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(
              directory.resolve(FILE_NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        channel.close();
        throw inUse(directory, null);
      }
      return new DirectoryLock(channel);
    } catch (IOException e) {
      throw new RowmarkException(
          Category.CONFIG,
          RowmarkException.Retry.USELESS,
          "The embedded catalog cannot use the directory "
              + directory
              + ": "
              + e
              + ". Name a local directory that this user may write.",
          e);
    }
  }

  static RowmarkException inUse(Path directory, @Nullable Throwable cause) {
    return new RowmarkException(
        Category.CONFIG,
        RowmarkException.Retry.HELPS,
        "The catalog directory "
            + directory
            + " is in use by another embedded catalog. Close that one first, connect to its REST"
            + " address instead, or name another directory.",
        cause);
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this very process
    }
  }

  /** Gives the directory free; the lock file itself stays, as removing it would race. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw RowmarkException.internal("The lock of the catalog directory did not close: " + e, e);
    }
  }
}
