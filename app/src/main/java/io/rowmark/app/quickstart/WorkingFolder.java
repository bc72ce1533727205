package io.rowmark.app.quickstart;

import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder that the demo writes into. It was empty before, so that its removal takes nothing of
 * the user's.
 */
public record WorkingFolder(Path path, AtEnd atEnd) implements AutoCloseable {

  /** What becomes of the folder. */
  public enum AtEnd {
    KEPT,
    REMOVED
  }

  public static WorkingFolder temporary(AtEnd atEnd) {
    try {
      return new WorkingFolder(Files.createTempDirectory("rowmark-quickstart"), atEnd);
    } catch (IOException e) {
      throw RowmarkException.source(
          "No temporary folder can be made: %s. Name one with --dir.".formatted(e.getMessage()), e);
    }
  }

  /**
   * @throws RowmarkException CONFIG when the folder holds something, or cannot be made
   */
  public static WorkingFolder at(Path path, AtEnd atEnd) {
    try {
      Files.createDirectories(path);
      try (Stream<Path> inside = Files.list(path)) {
        if (inside.findAny().isPresent()) {
          throw RowmarkException.config(
              "--dir %s is not empty, and the demo starts from nothing. Name a new folder."
                  .formatted(path));
        }
      }
      return new WorkingFolder(path.toAbsolutePath(), atEnd);
    } catch (IOException e) {
      throw RowmarkException.config(
          "--dir %s cannot be used as a folder: %s. Name another.".formatted(path, e.getMessage()));
    }
  }

  @Override
  public void close() {
    if (atEnd == AtEnd.KEPT) {
      return;
    }
    try {
      Files.walkFileTree(path, new Removal());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException error)
        throws IOException {
      if (error != null) {
        throw error;
      }
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
