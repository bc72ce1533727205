package io.rowmark.merge.cut;

import io.rowmark.merge.source.InputMarks;
import io.rowmark.merge.source.TableInput;
import io.rowmark.merge.spec.TableSpec;
import java.util.List;
import java.util.Optional;

/**
 * A table of the pipeline with what waits for it.
 *
 * @param input empty for nothing; of inputs that were taken in part, the rest
 * @param marks which transactions the changes of each input are of, by its rank
 */
record Surveyed(TableSpec table, Optional<TableInput> input, List<InputMarks> marks) {
  Surveyed {
    marks = List.copyOf(marks);
  }
}
