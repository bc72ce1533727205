package io.rowmark.formats.type;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType.ListOf;
import io.rowmark.formats.type.SourceType.MapOf;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * What must change in a table so that it holds the columns that events showed. Columns are added
 * and widened, as the Iceberg spec allows ("Schema Evolution": int to long, float to double, a
 * decimal's precision); never narrowed, dropped, renamed or turned into text.
 */
public final class SchemaEvolution {
  private final Schema table;
  private final Map<String, Step> steps = new LinkedHashMap<>();
  private final Map<String, String> namesByLowerCase = new LinkedHashMap<>();

  /** One change, or what stands in its way. Names are Iceberg's full names (tags.element). */
  public sealed interface Step extends Serializable {
    String name();
  }

  /**
   * An optional column that the table lacks.
   *
   * @param defaultValue what the source's schema tells, when the column can hold it; null for none.
   *     Only format version 3 stores it.
   */
  public record AddColumn(String name, Type type, @Nullable Literal<?> defaultValue)
      implements Step {}

  /** A column, list element or map value that must grow. */
  public record WidenColumn(String name, Type from, Type to) implements Step {}

  /**
   * Values that the table cannot hold, and no allowed change helps.
   *
   * @param from the column's type
   * @param to the type the events showed
   * @param reason a sentence that says what to do
   */
  public record Conflict(String name, Type from, Type to, String reason) implements Step {}

  private SchemaEvolution(Schema table) {
    this.table = table;
    table.columns().forEach(column -> nameSeen(column.name()));
  }

  /**
   * The steps, in the order in which the columns were seen. A column that fits causes none, nor
   * does one whose type is still unknown. Values of a source type that mostly fits, such as a long
   * for a decimal(10,2) column, cause none either: the decoder judges each.
   *
   * @param seen fields of the batch's events; the same name may come several times with different
   *     types, when the source changed in mid-stream
   */
  public static List<Step> steps(Schema table, List<SourceField> seen) {
    SchemaEvolution evolution = new SchemaEvolution(table);
    seen.forEach(evolution::see);
    return List.copyOf(evolution.steps.values());
  }

  private void see(SourceField field) {
    if (!ColumnTypes.isKnown(field.type()) || steps.get(field.name()) instanceof Conflict) {
      return;
    }
    Types.NestedField column = table.asStruct().field(field.name());
    String known = nameSeen(field.name());
    if (!known.equals(field.name())) {
      Type type = ColumnTypes.icebergType(field.type());
      conflict(
          field.name(),
          type,
          type,
          "its name differs only by case from '%s', which engines".formatted(known)
              + " that ignore case cannot tell apart; rename one of them");
    } else if (column != null) {
      compare(field.name(), field.type(), column.type());
    } else if (steps.get(field.name()) instanceof AddColumn added) {
      grow(added, field);
    } else {
      Type type = ColumnTypes.icebergType(field.type());
      steps.put(
          field.name(),
          new AddColumn(field.name(), type, ColumnDefault.ofSource(field, type).orElse(null)));
    }
  }

  private String nameSeen(String name) {
    String before = namesByLowerCase.putIfAbsent(name.toLowerCase(Locale.ROOT), name);
    boolean inTable = table.asStruct().field(name) != null;
    return before == null || inTable ? name : before;
  }

  /** A new column that came with two types takes the wider one, where it is still new. */
  private void grow(AddColumn added, SourceField field) {
    Schema planned = new Schema(Types.NestedField.optional(1, added.name(), added.type()));
    for (Step step : steps(planned, List.of(field))) {
      if (step instanceof WidenColumn wider && wider.name().equals(added.name())) {
        Type type = wider.to();
        steps.put(
            added.name(),
            new AddColumn(added.name(), type, ColumnDefault.ofSource(field, type).orElse(null)));
      } else {
        conflict(
            added.name(),
            added.type(),
            ColumnTypes.icebergType(field.type()),
            "it is new and came with two types in one batch; declare its source type");
      }
    }
  }

  private void compare(String name, SourceType source, Type have) {
    if (source instanceof ListOf list && have.isListType()) {
      compare(name + ".element", list.element(), have.asListType().elementType());
    } else if (source instanceof MapOf map && have.isMapType()) {
      compare(name + ".value", map.value(), have.asMapType().valueType());
    } else if (source instanceof StructOf struct && have.isStructType()) {
      struct.fields().forEach(field -> compareNested(name, field, have.asStructType()));
    } else if (source != Plain.INFERRED) {
      comparePlain(name, source, have);
    }
  }

  private void compareNested(String parent, SourceField field, Types.StructType have) {
    Types.NestedField stored = have.field(field.name());
    String name = parent + "." + field.name();
    if (stored != null) {
      compare(name, field.type(), stored.type());
    } else if (ColumnTypes.isKnown(field.type())) {
      Type type = ColumnTypes.icebergType(field.type());
      conflict(
          name,
          have,
          type,
          "the struct has no such field, and Rowmark adds only whole"
              + " columns; add the field to the table");
    }
  }

  private void comparePlain(String name, SourceType source, Type stored) {
    // An earlier event of the batch may have asked for more than this one does.
    Type have = steps.get(name) instanceof WidenColumn wider ? wider.to() : stored;
    Type want = ColumnTypes.icebergType(source);
    // A number of unknown type is no claim about the column; its values are judged one by one.
    boolean claims = source != Plain.WHOLE_NUMBER && source != Plain.FRACTION;
    if (claims && widens(have, want)) {
      widen(name, stored, want);
    } else if (claims && want.typeId() == TypeID.DECIMAL && have.typeId() == TypeID.DECIMAL) {
      compareDecimal(name, stored, (Types.DecimalType) want, (Types.DecimalType) have);
    } else if (!decodes(name, source, have)) {
      conflict(
          name,
          have,
          want,
          "values of the source type %s do not belong into the column;"
                  .formatted(SourceTypes.toText(source))
              + " declare the column's source type, or give the column another name");
    } else if (source == Plain.FRACTION && isWhole(have)) {
      conflict(
          name,
          have,
          want,
          "the column holds whole numbers and an event has a fraction;"
              + " Iceberg cannot turn one into the other");
    }
  }

  private void compareDecimal(
      String name, Type stored, Types.DecimalType want, Types.DecimalType have) {
    int whole = Math.max(want.precision() - want.scale(), have.precision() - have.scale());
    int precision = whole + have.scale();
    if (want.scale() > have.scale() || precision > 38) {
      conflict(
          name,
          have,
          want,
          "the column has too few digits, and Iceberg changes no scale;"
              + " add a column of the new type");
    } else if (precision > have.precision()) {
      widen(name, stored, Types.DecimalType.of(precision, have.scale()));
    }
  }

  private void widen(String name, Type from, Type to) {
    if (!(steps.get(name) instanceof Conflict)) {
      steps.put(name, new WidenColumn(name, from, to));
    }
  }

  private static boolean widens(Type have, Type want) {
    return (have.typeId() == TypeID.INTEGER && want.typeId() == TypeID.LONG)
        || (have.typeId() == TypeID.FLOAT && want.typeId() == TypeID.DOUBLE);
  }

  private static boolean isWhole(Type type) {
    return type.typeId() == TypeID.INTEGER || type.typeId() == TypeID.LONG;
  }

  private static boolean decodes(String name, SourceType source, Type have) {
    try {
      ValueDecoder.decoder(name, source, have);
      return true;
    } catch (RowmarkException e) {
      return false;
    }
  }

  private void conflict(String name, Type from, Type to, String reason) {
    steps.put(name, new Conflict(name, from, to, "Column '%s': %s.".formatted(name, reason)));
  }
}
