package io.rowmark.merge.plan;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.ColumnDefault;
import io.rowmark.formats.type.SchemaEvolution.AddColumn;
import io.rowmark.formats.type.SchemaEvolution.Conflict;
import io.rowmark.formats.type.SchemaEvolution.Step;
import io.rowmark.formats.type.SchemaEvolution.WidenColumn;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a target table has, or will have once this batch is committed.
 *
 * @param plan how the table is written
 * @param schema its columns after {@code steps}
 * @param steps what this batch changes of an existing table's columns, in order
 */
public record TableShape(TablePlan plan, Schema schema, List<Step> steps) {
  public TableShape {
    steps = List.copyOf(steps);
  }

  /** The table as it is; without columns so far if it is to be created. */
  public static TableShape of(TablePlan plan) {
    Table table = plan.table();
    return new TableShape(plan, table == null ? new Schema() : table.schema(), List.of());
  }

  public TableSpec spec() {
    return plan.spec();
  }

  /** The table as loaded; null when it does not exist yet. */
  public @Nullable Table table() {
    return plan.table();
  }

  public int formatVersion() {
    return plan.formatVersion();
  }

  /**
   * The shape after more steps.
   *
   * @throws RowmarkException SOURCE on a conflict, or on any step under the policy FAIL
   */
  public TableShape evolve(List<Step> more) {
    List<Step> wanted = new ArrayList<>();
    for (Step step : more) {
      if (step instanceof Conflict conflict) {
        throw RowmarkException.source(
            "Events for table %s do not fit it: %s".formatted(spec().table(), conflict.reason()));
      }
      wanted.add(step);
    }
    if (wanted.isEmpty()) {
      return this;
    }
    if (table() == null) {
      return withColumns(wanted);
    }
    switch (spec().schemaPolicy()) {
      case IGNORE -> {
        return this;
      }
      case FAIL ->
          throw RowmarkException.source(
              "Events for table %s have %s, and schema-policy is fail. Change the table, or set schema-policy to evolve or ignore."
                  .formatted(spec().table(), describe(wanted)));
      case EVOLVE -> {}
    }
    return withColumns(wanted);
  }

  /** The shape after more steps, whatever the policy says. */
  TableShape withColumns(List<Step> wanted) {
    Table current = table();
    if (current == null) {
      return new TableShape(plan, plus(wanted), List.of());
    }
    List<Step> all = new ArrayList<>(steps);
    all.addAll(wanted);
    UpdateSchema update = current.updateSchema();
    apply(update, all);
    return new TableShape(plan, update.apply(), all);
  }

  /** Puts this shape's steps into a schema update. */
  public void applyTo(UpdateSchema update) {
    apply(update, steps);
  }

  private void apply(UpdateSchema update, List<Step> all) {
    for (Step step : all) {
      if (step instanceof AddColumn add) {
        Literal<?> initial = defaultOf(add);
        if (initial == null) {
          update.addColumn(null, add.name(), add.type());
        } else {
          update.addColumn(null, add.name(), add.type(), initial);
        }
      } else if (step instanceof WidenColumn widen) {
        update.updateColumn(widen.name(), widen.to().asPrimitiveType());
      }
    }
  }

  private Schema plus(List<Step> wanted) {
    List<Types.NestedField> columns = new ArrayList<>(schema.columns());
    // ids have to differ from each other only: all are assigned afresh below
    AtomicInteger provisional = new AtomicInteger(schema.highestFieldId());
    for (Step step : wanted) {
      if (step instanceof AddColumn add) {
        columns.add(newColumn(provisional, add));
      } else if (step instanceof WidenColumn widen) {
        columns.replaceAll(column -> widened(column, widen));
      }
    }
    AtomicInteger ids = new AtomicInteger();
    Schema numbered = TypeUtil.assignFreshIds(new Schema(columns), ids::incrementAndGet);
    Set<Integer> keyIds = new HashSet<>();
    for (String name : identity()) {
      Types.NestedField field = numbered.asStruct().field(name);
      if (field != null && field.isRequired()) {
        keyIds.add(field.fieldId());
      }
    }
    return new Schema(numbered.columns(), keyIds);
  }

  private Types.NestedField newColumn(AtomicInteger ids, AddColumn add) {
    int id = ids.incrementAndGet();
    Type type = TypeUtil.assignFreshIds(add.type(), ids::incrementAndGet);
    if (identity().contains(add.name())) {
      if (spec().key().contains(add.name())) {
        KeySpec.checkType(spec().table(), add.name(), type);
      }
      return Types.NestedField.required(id, add.name(), type);
    }
    Types.NestedField.Builder builder =
        Types.NestedField.optional(add.name()).withId(id).ofType(type);
    Literal<?> initial = defaultOf(add);
    if (initial != null) {
      builder.withInitialDefault(initial).withWriteDefault(initial);
    }
    return builder.build();
  }

  /** Columns that tell the rows of a new table apart. */
  private List<String> identity() {
    List<String> names = new ArrayList<>(spec().key());
    if (spec().kept() instanceof KeptRows.Versions versions) {
      names.add(versions.names().from());
    }
    return names;
  }

  private static Types.NestedField widened(Types.NestedField column, WidenColumn widen) {
    return column.name().equals(widen.name())
        ? Types.NestedField.from(column).ofType(widen.to()).build()
        : column;
  }

  /** Defaults exist from format version 3 on; what the user declared wins over the source. */
  private @Nullable Literal<?> defaultOf(AddColumn add) {
    if (formatVersion() < 3) {
      return null;
    }
    ColumnDeclaration declared = spec().columns().get(add.name());
    String text = declared == null ? null : declared.defaultValue();
    return text == null ? add.defaultValue() : ColumnDefault.ofText(add.name(), text, add.type());
  }

  /** The steps for people. */
  public static String describe(List<Step> steps) {
    List<String> parts = new ArrayList<>();
    for (Step step : steps) {
      if (step instanceof AddColumn add) {
        parts.add("new column %s %s".formatted(add.name(), add.type()));
      } else if (step instanceof WidenColumn widen) {
        parts.add("%s widened from %s to %s".formatted(widen.name(), widen.from(), widen.to()));
      }
    }
    return String.join(", ", parts);
  }
}
