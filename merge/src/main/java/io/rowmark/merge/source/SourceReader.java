package io.rowmark.merge.source;

import io.rowmark.formats.change.RecordTest;
import io.rowmark.formats.change.RecordView;
import io.rowmark.merge.record.Portion;
import io.rowmark.merge.record.RecordCount;
import io.rowmark.merge.record.RecordReaders;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.spec.BatchCut;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.SourcePlace;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.catalog.Catalog;
import org.apache.spark.sql.SparkSession;

/** Finds the inputs that the ledger does not have. */
public final class SourceReader {
  private final PipelineSpec pipeline;
  private final Catalog catalog;
  private final Configuration hadoop;
  private final List<String> touched = new ArrayList<>();

  /**
   * @param catalog of the source tables
   * @param hadoop for the landing folder
   */
  public SourceReader(PipelineSpec pipeline, Catalog catalog, Configuration hadoop) {
    this.pipeline = pipeline;
    this.catalog = catalog;
    this.hadoop = hadoop;
  }

  /** The next batch; empty when everything that arrived is in its table. */
  public SourceBatch next(SeenInputs seen) {
    SourcePlace place = pipeline.source().place();
    if (place instanceof SourcePlace.IcebergTables tables) {
      return inputs(new SourceTables(catalog, tables, pipeline.batch())::next, seen);
    }
    if (place instanceof SourcePlace.DeltaTables) {
      // Delta's reader belongs to a session; without one there is nothing to ask
      return inputs(new DeltaSource(SparkSession.active(), catalog, pipeline.batch())::next, seen);
    }
    return files((SourcePlace.Folder) place, seen);
  }

  /** Names of inputs that went in before {@link #next} and have another modification time now. */
  public List<String> touched() {
    return List.copyOf(touched);
  }

  /** The new inputs of a target table that a source table gives. */
  private interface Source {
    Optional<TableInput> next(TableSpec target, SeenInputs seen);
  }

  private SourceBatch inputs(Source source, SeenInputs seen) {
    List<TableInput> inputs = new ArrayList<>();
    pipeline.tables().forEach(table -> source.next(table, seen).ifPresent(inputs::add));
    return SourceBatch.of(pipeline.name(), inputs, List.of());
  }

  private SourceBatch files(SourcePlace.Folder place, SeenInputs seen) {
    LandingFolder folder = LandingFolder.open(place, hadoop);
    List<TableInput> inputs = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    touched.clear();
    for (TableSpec table : pipeline.tables()) {
      if (!folder.has(table.topic())) {
        absent.add(table.topic());
        continue;
      }
      List<InputFile> landed = folder.list(table.topic());
      List<InputFile> fresh =
          landed.stream()
              .filter(file -> seen.isNew(table.table(), file))
              .sorted(snapshotsFirst(pipeline))
              .toList();
      landed.stream()
          .filter(file -> seen.isTouched(table.table(), file))
          .forEach(file -> touched.add(file.name()));
      // one position for all tables is found in all files only
      List<InputFile> taken =
          place.cut() instanceof BatchCut.LogPosition
              ? fresh
              : limited(table, fresh, file -> !seen.heldBack(table.table(), file).isEmpty());
      if (!taken.isEmpty()) {
        inputs.add(
            new TableInput(
                table,
                taken,
                new InputContent.Files(),
                taken.stream().map(file -> portion(seen.heldBack(table.table(), file))).toList()));
      }
    }
    return SourceBatch.of(pipeline.name(), inputs, absent);
  }

  private static Portion portion(List<String> heldBack) {
    return heldBack.isEmpty() ? Portion.WHOLE : Portion.rest(heldBack);
  }

  /**
   * As many files as one batch may take.
   *
   * @param begun files that an earlier batch took in part: they do not count, since what is left of
   *     them may wait for others
   */
  private List<InputFile> limited(
      TableSpec table, List<InputFile> files, Predicate<InputFile> begun) {
    BatchFill fill = new BatchFill(pipeline.batch());
    RecordCount count = recordCount(table);
    List<InputFile> taken = new ArrayList<>();
    for (InputFile file : files) {
      if (!begun.test(file) && !fill.take(file.size(), enough -> count.upTo(whole(file), enough))) {
        break;
      }
      taken.add(file);
    }
    return taken;
  }

  private RecordCount recordCount(TableSpec table) {
    SourceSpec source = pipeline.source();
    return new RecordCount(
        new RecordReaders(
            source.records(), source.envelope().images(), table.feed().fields(), hadoop),
        hadoop);
  }

  private static Slice whole(InputFile file) {
    return new Slice(file.path(), file.name(), 0, 0, file.size(), Slice.Place.RECORD_NUMBER, -1);
  }

  /** Files that the envelope tells by their names to be snapshots come before all others. */
  public static Comparator<InputFile> snapshotsFirst(PipelineSpec pipeline) {
    RecordTest snapshot = pipeline.source().envelope().op().snapshot();
    return Comparator.comparing(
        file -> {
          String name = file.name().substring(file.name().lastIndexOf('/') + 1);
          return snapshot == null
              || !snapshot.holds(new RecordView(Map.of(), Map.of(), name, 0, 0, 0));
        });
  }
}
