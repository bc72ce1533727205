package io.rowmark.merge.source;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The inputs of one batch.
 *
 * @param id follows from the pipeline and its inputs, so that the same inputs make the same batch
 *     again and a batch that landed is recognized
 * @param tables the tables with new input; empty when nothing is new
 * @param absentTopics configured topics that have no folder: nothing landed yet, or a wrong name
 */
public record SourceBatch(String id, List<TableInput> tables, List<String> absentTopics) {
  public SourceBatch {
    absentTopics = List.copyOf(absentTopics);
    tables = List.copyOf(tables);
  }

  public static SourceBatch of(
      String pipeline, List<TableInput> tables, List<String> absentTopics) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      update(digest, pipeline);
      for (TableInput table : tables) {
        update(digest, table.spec().table());
        for (InputFile file : table.files()) {
          update(digest, file.name());
          update(digest, Long.toString(file.size()));
        }
      }
      String id = HexFormat.of().formatHex(digest.digest(), 0, 8);
      return new SourceBatch(id, tables, absentTopics);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  private static void update(MessageDigest digest, String part) {
    digest.update(part.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  public boolean isEmpty() {
    return tables.isEmpty();
  }

  public int fileCount() {
    return tables.stream().mapToInt(table -> table.files().size()).sum();
  }

  public long bytes() {
    return tables.stream().mapToLong(TableInput::bytes).sum();
  }
}
