package io.rowmark.merge.replay;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which inputs to bring again.
 *
 * @param table the only table to bring them to; null for all
 */
public record ReplayRequest(Range range, @Nullable String table) {

  /** A part of the ledger. */
  public sealed interface Range {}

  /**
   * The batches between two, both included, in the order in which they were recorded.
   *
   * @param from null for the first
   * @param to null for the last
   */
  public record Batches(@Nullable String from, @Nullable String to) implements Range {}

  /**
   * The batches that were recorded in a time.
   *
   * @param from included; null for the beginning
   * @param to not included; null for no end
   */
  public record Times(@Nullable Instant from, @Nullable Instant to) implements Range {}

  /**
   * Inputs by their names.
   *
   * @param glob as for file names: {@code *} does not go beyond a folder, {@code **} does
   */
  public record Inputs(String glob) implements Range {}
}
