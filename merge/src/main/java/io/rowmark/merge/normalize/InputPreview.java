package io.rowmark.merge.normalize;

import io.rowmark.merge.parallel.DriverThreads;
import io.rowmark.merge.plan.TableShape;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.source.InputContent;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.PipelineSpec;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.InternalRow;

/** A look into waiting input, without a Spark session, where the driver would work on it itself. */
public final class InputPreview {
  private final PipelineSpec pipeline;
  private final Configuration hadoop;
  private final DriverDecoder decoder;

  public InputPreview(PipelineSpec pipeline, Configuration hadoop, DriverThreads threads) {
    this.pipeline = pipeline;
    this.hadoop = hadoop;
    this.decoder = new DriverDecoder(pipeline.batch().driverEvents(), threads, hadoop);
  }

  /**
   * The rows of the changes that wait for an existing table, removals with their key only; empty
   * when Spark would work on them.
   */
  public Optional<List<InternalRow>> rows(TableInput input, TableShape shape) {
    if (input.content() instanceof InputContent.DeltaVersions) {
      return Optional.empty();
    }
    List<Slice> slices = Slices.of(input, pipeline.source().records().format(), hadoop);
    DecodePlan plan = DecodePlan.of(input.spec(), shape.schema(), pipeline.source());
    return decoder
        .decode(plan, slices)
        .filter(few -> few.summary().gaps() == 0 && few.summary().truncate() == null)
        .map(
            few ->
                NetChangesAtHand.rows(
                    new Events.AtHand(few.rows(), EventRows.type(shape.schema()))));
  }
}
