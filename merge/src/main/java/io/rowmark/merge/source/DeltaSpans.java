package io.rowmark.merge.source;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.source.DeltaDifference.DeletionVectors;
import io.rowmark.merge.source.DeltaDifference.Kept;
import io.rowmark.merge.source.VersionRows.Span;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Finds how some neighbouring versions are read: by the change feed where the table has one, each
 * span under one set of columns, and by comparing a version with the one before where it has none.
 */
final class DeltaSpans {
  private final DeltaTable source;
  private final TableSpec target;
  private final @Nullable Schema columns;
  private final Map<Long, Optional<StructType>> schemas = new HashMap<>();
  private @Nullable Boolean vectors;
  private final List<VersionRows> spans = new ArrayList<>();
  private final List<DeltaVersion> inputs = new ArrayList<>();

  /**
   * @param columns of the target; null when it does not exist yet
   */
  DeltaSpans(DeltaTable source, TableSpec target, @Nullable Schema columns) {
    this.source = source;
    this.target = target;
    this.columns = columns;
  }

  /** What is read, and the versions that are inputs. */
  record Planned(List<VersionRows> spans, List<DeltaVersion> inputs) {
    Planned {
      spans = List.copyOf(spans);
      inputs = List.copyOf(inputs);
    }
  }

  /**
   * How versions are read; nothing where they change no row. Ends before a version that renames
   * columns, which the target has to follow when all before it is in.
   *
   * @throws RowmarkException SOURCE when the target has to be changed first, or a version cannot be
   *     read
   */
  Planned of(List<DeltaVersion> versions) {
    spans.clear();
    inputs.clear();
    plan(versions);
    return new Planned(spans, inputs);
  }

  /** Whether the versions behind these may be planned. */
  private boolean plan(List<DeltaVersion> versions) {
    long from = versions.get(0).number();
    long to = versions.get(versions.size() - 1).number();
    if (columnsCarryOver(from, to)) {
      if (versions.stream().noneMatch(DeltaVersion::mayChangeRows)) {
        return true;
      } else if (source.feeds(from, to)) {
        add(new Span.Feed(from, to), versions);
        return true;
      }
    }
    if (versions.size() == 1) {
      return compare(versions.get(0));
    }
    int middle = versions.size() / 2;
    return plan(versions.subList(0, middle)) && plan(versions.subList(middle, versions.size()));
  }

  private void add(Span span, List<DeltaVersion> versions) {
    Map<Long, Integer> ranks = new HashMap<>();
    for (DeltaVersion version : versions) {
      if (version.mayChangeRows()) {
        ranks.put(version.number(), inputs.size());
        inputs.add(version);
      }
    }
    spans.add(new VersionRows(source, span, ranks));
  }

  private boolean compare(DeltaVersion version) {
    long number = version.number();
    Optional<StructType> before = number == 0 ? Optional.of(new StructType()) : schema(number - 1);
    StructType after = schema(number).orElseThrow(() -> unreadable(number));
    DeltaDifference difference = difference(version, before.isPresent());
    if (before.isPresent() && difference.kept() == Kept.SOME) {
      DeltaColumns change = new DeltaColumns(before.get(), after);
      if (change.mayBeRenamed() && targetHasOld(change)) {
        if (inputs.isEmpty()) {
          throw renamed(number, change);
        }
        return false;
      }
    }
    if (!difference.isEmpty()) {
      DeltaColumns.refuseReserved(source.name(), after);
      add(new Span.Difference(number, difference), List.of(version));
    }
    return true;
  }

  private DeltaDifference difference(DeltaVersion version, boolean hasBefore) {
    long number = version.number();
    if (!version.mayChangeRows()) {
      return DeltaDifference.NONE;
    }
    if (!hasBefore) {
      throw RowmarkException.source(
          ("What version %d of Delta table %s changed cannot be told any more: it has no change feed,"
                  + " and version %d, which it has to be compared with, is gone from the log. Set"
                  + " delta.logRetentionDuration of the source to more than the time between two"
                  + " runs, or delta.enableChangeDataFeed to true. To go on, feed an empty table"
                  + " under another name of pipeline and ledger; or, if what lies between may be"
                  + " missing, set start-snapshot of table %s to %d.")
              .formatted(number, source.name(), number - 1, target.table(), number));
    }
    return DeltaDifference.of(
        number == 0 ? null : source.at(number - 1),
        source.at(number),
        mayHaveVectors() ? version.vectors() : DeletionVectors.AS_THEY_WERE);
  }

  private boolean mayHaveVectors() {
    if (vectors == null) {
      vectors = source.mayHaveDeletionVectors();
    }
    return vectors;
  }

  /** A target that has the new names, or never had the old ones, has followed. */
  private boolean targetHasOld(DeltaColumns change) {
    Schema schema = columns;
    return schema != null
        && change.gone().stream().anyMatch(name -> schema.findField(name) != null)
        && !change.come().stream().allMatch(name -> schema.findField(name) != null);
  }

  private RowmarkException renamed(long version, DeltaColumns change) {
    return RowmarkException.source(
        ("Version %d of Delta table %s has columns %s in place of %s. The rows that table %s has"
                + " already are under the old names. Rename the columns of the table likewise (ALTER"
                + " TABLE %s RENAME COLUMN ... TO ...), its key and settings too, or drop them from"
                + " it, and run again.")
            .formatted(
                version,
                source.name(),
                change.come(),
                change.gone(),
                target.table(),
                target.table()));
  }

  /** Columns of a version that cannot be made up any more say nothing against a feed. */
  private boolean columnsCarryOver(long from, long to) {
    Optional<StructType> before = from == 0 ? Optional.empty() : schema(from - 1);
    return before.isEmpty()
        || new DeltaColumns(before.get(), schema(to).orElseThrow(() -> unreadable(to))).carryOver();
  }

  private Optional<StructType> schema(long version) {
    return schemas.computeIfAbsent(version, source::schema);
  }

  private RowmarkException unreadable(long version) {
    return RowmarkException.source(
        "Version %d of Delta table %s, the source of table %s, cannot be read. Its log may just have been cleaned: run again."
            .formatted(version, source.name(), target.table()));
  }
}
