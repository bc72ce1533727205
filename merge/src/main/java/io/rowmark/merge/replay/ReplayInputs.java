package io.rowmark.merge.replay;

import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.replay.ReplayPlan.Input;
import io.rowmark.merge.replay.ReplayPlan.Step;
import io.rowmark.merge.source.InputContent;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.LandingFolder;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.source.SourceReader;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The inputs of one batch of the ledger, made into batches within today's limits. */
final class ReplayInputs {
  private final PipelineSpec pipeline;
  private final Map<String, String> lastBatches;
  private final List<Part> parts = new ArrayList<>();
  private Part part = new Part();

  /**
   * @param lastBatches the batches that brought the inputs last, by {@link #slot}
   */
  ReplayInputs(PipelineSpec pipeline, Map<String, String> lastBatches) {
    this.pipeline = pipeline;
    this.lastBatches = lastBatches;
  }

  static String slot(LedgerEntry entry) {
    return entry.table() + '\0' + entry.input();
  }

  private static final class Part {
    final List<LedgerEntry> entries = new ArrayList<>();
    final List<Input> inputs = new ArrayList<>();
    final Map<String, List<InputFile>> files = new LinkedHashMap<>();
    final Map<String, Long> bytes = new LinkedHashMap<>();
  }

  void add(LedgerEntry entry, Input input, Optional<InputFile> file) {
    int taken = part.files.getOrDefault(entry.table(), List.of()).size();
    long bytes = part.bytes.getOrDefault(entry.table(), 0L) + entry.inputSize();
    if (pipeline.batch().isFull(taken, bytes)) {
      parts.add(part);
      part = new Part();
    }
    part.entries.add(entry);
    part.inputs.add(input);
    part.bytes.merge(entry.table(), entry.inputSize(), Long::sum);
    List<InputFile> files = part.files.computeIfAbsent(entry.table(), table -> new ArrayList<>());
    file.ifPresent(files::add);
  }

  List<Step> steps(String of) {
    if (!part.inputs.isEmpty()) {
      parts.add(part);
      part = new Part();
    }
    return parts.stream()
        .map(one -> new Step(of, one.entries.get(0).recordedAt(), one.inputs, batch(one)))
        .toList();
  }

  /**
   * Tables in the order of the pipeline, as in every batch. The id follows from the batches that
   * brought the inputs last: a replay that was cut off has the same id when it is run again, and
   * one after it has another.
   */
  private SourceBatch batch(Part one) {
    List<TableInput> tables = new ArrayList<>();
    for (TableSpec spec : pipeline.tables()) {
      List<InputFile> files = one.files.getOrDefault(spec.table(), List.of());
      if (!files.isEmpty()) {
        List<InputFile> ordered =
            LandingFolder.inArrivalOrder(files).stream()
                .sorted(SourceReader.snapshotsFirst(pipeline))
                .toList();
        tables.add(new TableInput(spec, ordered, new InputContent.Files()));
      }
    }
    TreeSet<String> last = new TreeSet<>();
    one.entries.forEach(entry -> last.add(lastBatches.getOrDefault(slot(entry), entry.batchId())));
    return SourceBatch.of(
        pipeline.name() + " replays " + String.join(" ", last), tables, List.of());
  }
}
