package io.rowmark.merge.source;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.SourcePlace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * A folder laid out as object-store sinks write it: one folder per topic, below it any folders, in
 * them files named {@code <topic>+<partition>+<start offset>.<ending>}. Files of other names are
 * taken too, in the order of their names.
 */
public final class LandingFolder {
  private static final Pattern SINK_NAME = Pattern.compile(".*\\+(\\d+)\\+(\\d+)\\.[^/]*");
  private static final Pattern SIDE_FILE = Pattern.compile(".*\\.(keys|headers)\\.[^/]*");

  private final Path root;
  private final FileSystem files;

  private LandingFolder(Path root, FileSystem files) {
    this.root = root;
    this.files = files;
  }

  /**
   * @throws RowmarkException SOURCE when the folder cannot be reached or is not there
   */
  public static LandingFolder open(SourcePlace.Folder source, Configuration hadoop) {
    Path root = new Path(source.path());
    try {
      FileSystem files = root.getFileSystem(hadoop);
      if (!files.exists(root)) {
        throw RowmarkException.source(
            "The source folder '%s' does not exist. Correct source.path.".formatted(source.path()));
      }
      if (!files.getFileStatus(root).isDirectory()) {
        throw RowmarkException.source(
            "The source path '%s' is not a folder. Set source.path to the folder that holds one folder per topic."
                .formatted(source.path()));
      }
      return new LandingFolder(files.makeQualified(root), files);
    } catch (IOException e) {
      throw RowmarkException.source(
          "The source folder '%s' cannot be read: %s. Correct source.path or its permissions."
              .formatted(source.path(), e.getMessage()),
          e);
    }
  }

  /** Whether a topic has a folder. */
  public boolean has(String topic) {
    Path folder = new Path(root, topic);
    try {
      return files.exists(folder);
    } catch (IOException e) {
      throw unreadable(folder, topic, e);
    }
  }

  private static RowmarkException unreadable(Path folder, String topic, IOException cause) {
    return RowmarkException.source(
        "The folder '%s' of topic '%s' cannot be read: %s. Correct its permissions."
            .formatted(folder, topic, cause.getMessage()),
        cause);
  }

  /**
   * All data files of a topic, in arrival order. Hidden files (starting with a dot or an
   * underscore), key and header files beside the values, and empty files are left out.
   */
  public List<InputFile> list(String topic) {
    Path folder = new Path(root, topic);
    List<InputFile> found = new ArrayList<>();
    try {
      for (FileStatus status : below(folder)) {
        String name = relative(status.getPath());
        if (isData(name) && status.getLen() > 0) {
          found.add(
              new InputFile(
                  status.getPath().toString(),
                  name,
                  status.getLen(),
                  Instant.ofEpochMilli(status.getModificationTime())));
        }
      }
    } catch (IOException e) {
      throw unreadable(folder, topic, e);
    }
    return inArrivalOrder(found);
  }

  /**
   * All files below a folder. Object stores list them at one go. A local file system would tell the
   * places of each file's blocks as well, and starts a process for the permissions of each.
   */
  private List<FileStatus> below(Path folder) throws IOException {
    List<FileStatus> found = new ArrayList<>();
    if (files instanceof LocalFileSystem) {
      for (FileStatus status : files.listStatus(folder)) {
        if (status.isDirectory()) {
          found.addAll(below(status.getPath()));
        } else {
          found.add(status);
        }
      }
      return found;
    }
    RemoteIterator<LocatedFileStatus> listing = files.listFiles(folder, true);
    while (listing.hasNext()) {
      found.add(listing.next());
    }
    return found;
  }

  /** Files of a topic in the order in which they were written, as far as their names tell. */
  public static List<InputFile> inArrivalOrder(List<InputFile> files) {
    return files.stream().sorted(ARRIVAL).toList();
  }

  /** A file by its name; empty if it is not there any more. */
  public Optional<InputFile> find(String name) {
    Path path = new Path(root, name);
    try {
      FileStatus status = files.getFileStatus(path);
      return Optional.of(
          new InputFile(
              status.getPath().toString(),
              name,
              status.getLen(),
              Instant.ofEpochMilli(status.getModificationTime())));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw RowmarkException.source(
          "The file '%s' cannot be looked at: %s. Correct its permissions."
              .formatted(path, e.getMessage()),
          e);
    }
  }

  private String relative(Path path) {
    String base = root.toString();
    String full = files.makeQualified(path).toString();
    return full.startsWith(base) ? full.substring(base.length()).replaceFirst("^/+", "") : full;
  }

  private static boolean isData(String name) {
    for (String part : name.split("/")) {
      if (part.startsWith(".") || part.startsWith("_")) {
        return false;
      }
    }
    return !SIDE_FILE.matcher(name).matches();
  }

  /** The start offset in a sink's file name; null for files of other names. */
  public static @Nullable Long startOffset(String name) {
    Matcher matcher = SINK_NAME.matcher(name);
    return matcher.matches() ? Long.valueOf(matcher.group(2)) : null;
  }

  private static final Comparator<InputFile> ARRIVAL =
      Comparator.<InputFile, Long>comparing(
              file -> {
                Long offset = startOffset(file.name());
                return offset == null ? Long.valueOf(-1) : offset;
              })
          .thenComparing(InputFile::name);
}
