package io.rowmark.merge.source;

import io.rowmark.merge.record.Portion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The inputs of one batch.
 *
 * @param id follows from the pipeline and its inputs, so that the same inputs make the same batch
 *     again and a batch that landed is recognized
 * @param tables the tables with new input; empty when nothing is new
 * @param absentTopics configured topics that have no folder: nothing landed yet, or a wrong name
 * @param aside inputs that feed no table, and are remembered with the batch
 * @param waiting what was held back and why, for people; empty for nothing
 */
public record SourceBatch(
    String id,
    List<TableInput> tables,
    List<String> absentTopics,
    List<SideInput> aside,
    String waiting) {
  public SourceBatch {
    aside = List.copyOf(aside);
    absentTopics = List.copyOf(absentTopics);
    tables = List.copyOf(tables);
  }

  /** A batch that holds nothing back. */
  public static SourceBatch of(
      String pipeline, List<TableInput> tables, List<String> absentTopics) {
    return of(pipeline, tables, absentTopics, List.of(), "");
  }

  /** A batch of some inputs or portions of them. */
  public static SourceBatch of(
      String pipeline,
      List<TableInput> tables,
      List<String> absentTopics,
      List<SideInput> aside,
      String waiting) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      update(digest, pipeline);
      for (TableInput table : tables) {
        update(digest, table.spec().table());
        for (int rank = 0; rank < table.files().size(); rank++) {
          InputFile file = table.files().get(rank);
          update(digest, file.name());
          update(digest, Long.toString(file.size()));
          Portion portion = table.portions().get(rank);
          if (!(portion instanceof Portion.Whole)) {
            update(digest, portion.text());
          }
        }
      }
      String id = HexFormat.of().formatHex(digest.digest(), 0, 8);
      return new SourceBatch(id, tables, absentTopics, aside, waiting);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  /** The same batch for some of its tables. */
  public SourceBatch only(List<TableInput> some) {
    return new SourceBatch(id, some, absentTopics, aside, waiting);
  }

  /** The same batch with more inputs that feed no table. */
  public SourceBatch with(List<SideInput> more) {
    List<SideInput> all = new ArrayList<>(aside);
    all.addAll(more);
    return new SourceBatch(id, tables, absentTopics, all, waiting);
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
