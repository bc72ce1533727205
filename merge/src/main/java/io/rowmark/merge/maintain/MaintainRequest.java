package io.rowmark.merge.maintain;

import java.time.Instant;
import java.util.Set;

/**
 * What one run of the command does.
 *
 * @param maxBytes bytes of data files that one commit rewrites, at least one group of files
 * @param maxCommits commits that rewrite or drop data files, for each table
 * @param now from when ages count
 */
public record MaintainRequest(Set<MaintainTask> tasks, long maxBytes, int maxCommits, Instant now) {
  public MaintainRequest {
    tasks = Set.copyOf(tasks);
  }

  public boolean wants(MaintainTask task) {
    return tasks.contains(task);
  }
}
