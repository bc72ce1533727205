package io.rowmark.formats.audit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing in a snapshot that a reader or an owner should know of.
 *
 * @param count how often it occurs
 * @param examples up to {@link FileTally#EXAMPLES}, first in alphabetical order
 */
public record Finding(Kind kind, long count, List<Example> examples) {
  public Finding {
    examples = List.copyOf(examples);
  }

  /** How bad a finding is. */
  public enum Gravity {
    /** The table spec forbids it; readers fail, or differ in what they return. */
    VIOLATION,
    /** Legal, with a cost or a risk. */
    REMARK
  }

  /** What was found. */
  public enum Kind {
    /** Data files with more than one live deletion vector (spec: at most one per data file). */
    SEVERAL_VECTORS(Gravity.VIOLATION, "data files with more than one deletion vector"),
    /** Deletion vectors below format version 3, which does not have them. */
    VECTOR_BELOW_V3(Gravity.VIOLATION, "deletion vectors below format version 3"),
    /** Deletion vectors that do not say of which data file they are. */
    VECTOR_WITHOUT_FILE(Gravity.VIOLATION, "deletion vectors that name no data file"),
    /** Deletion vectors with a lower data sequence number than their data file. */
    VECTOR_OLDER_THAN_FILE(Gravity.VIOLATION, "deletion vectors older than their data file"),
    /** Deletion vectors that delete more rows than their data file has. */
    VECTOR_LARGER_THAN_FILE(
        Gravity.VIOLATION, "deletion vectors with more rows than their data file"),
    /**
     * File-scoped deletes under another spec or partition than their data file: Iceberg from 1.12
     * fails a full scan, others may leave the deletes out.
     */
    OTHER_PARTITION(Gravity.VIOLATION, "deletes under another partition than their data file"),
    /**
     * Deletion vectors whose data file is not in the snapshot (spec: they must leave with it). They
     * delete nothing.
     */
    DANGLING_VECTOR(Gravity.VIOLATION, "deletion vectors of data files that are gone"),
    /** File-scoped position delete files whose data file is not in the snapshot; litter. */
    DANGLING_POSITION(Gravity.REMARK, "position delete files of data files that are gone"),
    /**
     * Position delete files that span data files, or do not prove that they do not: no
     * referenced_data_file, and lower and upper bound of file_path differ or are missing.
     */
    SPANNING_POSITION(Gravity.REMARK, "position delete files that span data files, or may"),
    /** Position delete files on format version 3: left from version 2, legal until replaced. */
    POSITION_ON_V3(Gravity.REMARK, "position delete files left from format version 2"),
    /**
     * Data files with a deletion vector to which position deletes apply as well. The vector must
     * hold their positions, as readers ignore them; manifests do not show whether it does.
     */
    HIDDEN_POSITION(Gravity.REMARK, "data files whose deletion vector hides position deletes"),
    /** Equality delete files that apply to every older data file of the table. */
    GLOBAL_EQUALITY(Gravity.REMARK, "equality delete files that apply to the whole table"),
    /** Data files whose every row is surely deleted: cost without content. */
    DEAD_FILE(Gravity.REMARK, "data files whose every row is deleted");

    private final Gravity gravity;
    private final String text;

    Kind(Gravity gravity, String text) {
      this.gravity = gravity;
      this.text = text;
    }

    public Gravity gravity() {
      return gravity;
    }

    /** What is counted, in words. */
    public String text() {
      return text;
    }
  }

  /**
   * @param dataFile null where no one data file is concerned
   * @param deleteFile null where no one delete file is concerned
   */
  public record Example(@Nullable String dataFile, @Nullable String deleteFile) {}
}
