package io.rowmark.index.scan;

import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.api.java.UDF1;
import org.jspecify.annotations.Nullable;

/** Path to file number inside a Spark query. Rows come file by file, so the last answer is kept. */
final class FileNumberUdf implements UDF1<@Nullable String, Integer> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<FileNumbers> files;
  private transient @Nullable Answer last;

  /** One object, so that two threads never see a path with the number of another. */
  private record Answer(String path, int number) {}

  FileNumberUdf(Broadcast<FileNumbers> files) {
    this.files = files;
  }

  @Override
  public Integer call(@Nullable String path) {
    if (path == null) {
      return FileNumbers.UNKNOWN;
    }
    Answer answer = last;
    if (answer == null || !answer.path().equals(path)) {
      answer = new Answer(path, files.value().number(path));
      last = answer;
    }
    return answer.number();
  }
}
