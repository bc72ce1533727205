package io.rowmark.merge.normalize;

import java.util.BitSet;
import org.apache.iceberg.Schema;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The columns in which decoded events travel through Spark. */
public final class EventRows {
  static final byte CHANGE = 0;
  static final byte REJECT = 1;
  static final byte SUMMARY = 2;

  /** Values of {@link #OP}. */
  public static final byte REMOVE = 0;

  /** A removal that keeps its row with a flag; like any removal it goes before what comes after. */
  public static final byte FLAG = -1;

  static final byte UPDATE = 1;
  public static final byte INSERT = 2;

  static final String KIND = "kind";
  public static final String OP = "op";
  public static final String ORDER = "change_order";
  public static final String FILE = "file";
  public static final String PLACE = "place";
  public static final String UNAVAILABLE = "unavailable";
  static final String REJECTED = "reject";
  static final String SUMMARIES = "summary";

  /** Where some of the columns are. */
  static final int KIND_AT = 0;

  static final int OP_AT = 1;
  static final int ORDER_AT = 2;
  static final int FILE_AT = 3;
  static final int PLACE_AT = 4;
  static final int REJECTED_AT = 6;
  static final int SUMMARIES_AT = 7;
  static final int ROW_AT = 8;

  public static final String ROW = "row";

  private static final StructType REJECT_TYPE =
      new StructType()
          .add("code", DataTypes.StringType)
          .add("column", DataTypes.StringType)
          .add("reason", DataTypes.StringType)
          .add("raw", DataTypes.BinaryType);

  private EventRows() {}

  /** All columns of an event. */
  static StructType type(Schema table) {
    return new StructType()
        .add(KIND, DataTypes.ByteType, false)
        .add(OP, DataTypes.ByteType)
        .add(ORDER, DataTypes.BinaryType)
        .add(FILE, DataTypes.IntegerType)
        .add(PLACE, DataTypes.LongType)
        .add(UNAVAILABLE, DataTypes.BinaryType)
        .add(REJECTED, REJECT_TYPE)
        .add(SUMMARIES, DataTypes.BinaryType)
        .add(ROW, rowType(table));
  }

  /**
   * A table's row as it travels: every column may be null, since a removal has its key only. The
   * writers check what the table requires.
   */
  public static StructType rowType(Schema table) {
    StructType strict = SparkSchemaUtil.convert(table);
    StructType loose = new StructType();
    for (StructField field : strict.fields()) {
      loose = loose.add(new StructField(field.name(), field.dataType(), true, Metadata.empty()));
    }
    return loose;
  }

  static Row change(
      byte op,
      byte @Nullable [] order,
      int file,
      long place,
      BitSet unavailable,
      @Nullable Object[] values) {
    return RowFactory.create(
        CHANGE,
        op,
        order,
        file,
        place,
        unavailable.isEmpty() ? null : unavailable.toByteArray(),
        null,
        null,
        RowFactory.create(values));
  }

  static Row reject(Reject reject, int file, byte @Nullable [] raw) {
    return RowFactory.create(
        REJECT,
        null,
        null,
        file,
        reject.place(),
        null,
        RowFactory.create(reject.code(), reject.column(), reject.reason(), raw),
        null,
        null);
  }

  static Row summary(byte[] summary) {
    return RowFactory.create(SUMMARY, null, null, null, null, null, null, summary, null);
  }
}
