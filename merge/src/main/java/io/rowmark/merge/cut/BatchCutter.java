package io.rowmark.merge.cut;

import io.rowmark.merge.cut.DoneBefore.Past;
import io.rowmark.merge.normalize.EndReader;
import io.rowmark.merge.normalize.TransactionSurvey;
import io.rowmark.merge.source.InputMarks;
import io.rowmark.merge.source.LandingFolder;
import io.rowmark.merge.source.SeenInputs;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.BatchCut;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.SourcePlace;
import io.rowmark.merge.spec.TableSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Ends a batch where the source has a consistent state, so that with one commit for all tables no
 * reader ever sees half a source transaction.
 */
public final class BatchCutter {
  private final PipelineSpec pipeline;
  private final TransactionSurvey survey;
  private final Configuration hadoop;

  /**
   * @param hadoop for the landing folder
   */
  public BatchCutter(PipelineSpec pipeline, TransactionSurvey survey, Configuration hadoop) {
    this.pipeline = pipeline;
    this.survey = survey;
    this.hadoop = hadoop;
  }

  /**
   * The batch that the pipeline's settings ask for.
   *
   * @param found what is waiting
   * @throws io.rowmark.formats.failure.RowmarkException SOURCE when a file cannot be read
   */
  public SourceBatch cut(SourceBatch found, SeenInputs seen) {
    if (found.isEmpty()
        || !(pipeline.source().place() instanceof SourcePlace.Folder place)
        || place.cut() instanceof BatchCut.Anywhere) {
      return found;
    }
    List<Surveyed> inputs = new ArrayList<>();
    for (TableSpec table : pipeline.tables()) {
      Optional<TableInput> input =
          found.tables().stream().filter(one -> one.spec().equals(table)).findFirst();
      List<InputMarks> marks = input.map(survey::of).orElse(List.of());
      inputs.add(new Surveyed(table, input, marks));
    }
    return way(place, seen, inputs).of(pipeline.name(), found, inputs);
  }

  private Cut way(SourcePlace.Folder place, SeenInputs seen, List<Surveyed> inputs) {
    if (place.cut() instanceof BatchCut.LogPosition position) {
      return new LogPositionCut(Instant.now().minus(position.settle()));
    }
    String topic = ((BatchCut.Transactions) place.cut()).topic();
    LandingFolder folder = LandingFolder.open(place, hadoop);
    EndFiles ends = EndFiles.of(topic, folder, new EndReader(pipeline.source(), hadoop), seen);
    boolean withoutEnds =
        ends.areNew()
            && pipeline.tables().stream().anyMatch(table -> !seen.namesOf(table.table()).isEmpty())
            && inputs.stream().allMatch(input -> isWhole(input, folder, seen));
    return new TransactionCut(
        ends, new DoneBefore(ends, inputs, withoutEnds ? Past.WITHOUT_ENDS : Past.KNOWN));
  }

  /** Whether all files that wait for a table are among the inputs. */
  private static boolean isWhole(Surveyed input, LandingFolder folder, SeenInputs seen) {
    String topic = input.table().topic();
    return !folder.has(topic)
        || folder.list(topic).stream()
                .filter(file -> seen.isNew(input.table().table(), file))
                .count()
            == input.marks().size();
  }
}
