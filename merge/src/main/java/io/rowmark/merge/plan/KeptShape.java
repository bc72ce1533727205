package io.rowmark.merge.plan;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SchemaEvolution.AddColumn;
import io.rowmark.formats.type.SchemaEvolution.Step;
import io.rowmark.merge.spec.KeptRows;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Adds the columns in which a table keeps rows. The configuration names them, so the policy for
 * columns of events is no matter.
 */
public final class KeptShape {
  private KeptShape() {}

  /**
   * The shape with the columns that the table needs for the rows it keeps.
   *
   * @throws RowmarkException CONFIG when a column of such a name has another type
   */
  public static TableShape of(TableShape shape) {
    KeptRows kept = shape.spec().kept();
    List<Step> missing = new ArrayList<>();
    kept.columns()
        .forEach(
            (name, type) -> {
              Types.NestedField column = shape.schema().findField(name);
              if (column == null) {
                missing.add(new AddColumn(name, type, initial(kept, name)));
              } else if (!column.type().equals(type)) {
                throw RowmarkException.config(
                    "Column %s of table %s is of type %s, but must be %s to tell which rows are kept, and of when. Name another column in the settings soft-delete or history of the table."
                        .formatted(name, shape.spec().table(), column.type(), type));
              }
            });
    return missing.isEmpty() ? shape : shape.withColumns(missing);
  }

  /** Rows that were there before the flag are not deleted. */
  private static @Nullable Literal<?> initial(KeptRows kept, String column) {
    return kept instanceof KeptRows.Deleted deleted && deleted.flag().equals(column)
        ? Literal.of(false)
        : null;
  }
}
