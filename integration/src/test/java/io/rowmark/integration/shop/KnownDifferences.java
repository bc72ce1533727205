package io.rowmark.integration.shop;

import io.rowmark.integration.shop.CapturedStream.Form;
import io.rowmark.integration.shop.TableRows.Difference;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.TableUtil;

/** Where our tables differ from PostgreSQL's: what docs/types.md tells of, and nothing else. */
final class KnownDifferences {
  private KnownDifferences() {}

  /**
   * What the events themselves do not say.
   *
   * @param day after which the table is compared
   */
  static List<Difference> of(ShopRun run, Form form, String table, int day) {
    List<Difference> known = new ArrayList<>();
    if (table.equals("type_zoo") && form == Form.WITH_SCHEMAS) {
      // As text Debezium spells it so, and the column is text.
      known.add(new Difference(table, "1002", "nv", "NaN", "NAN"));
    }
    if (table.equals("type_zoo") && form == Form.PLAIN) {
      run.expected(table, day)
          .byKey()
          .forEach((key, row) -> preciseMode(table, key, (String) row.get("nv"), known));
    }
    if (table.equals("customers")) {
      // Connect's JSON converter writes a column's default in place of null.
      known.add(new Difference(table, "2002", "country", null, "DE"));
      if (TableUtil.formatVersion(run.table(table)) == 2) {
        known.addAll(withoutDefault(run, form, table, day));
      }
    }
    return known;
  }

  /** In precise mode Debezium drops the NaN and the trailing zeros of an unbounded numeric. */
  private static void preciseMode(String table, String key, String value, List<Difference> known) {
    if ("NaN".equals(value)) {
      known.add(new Difference(table, key, "nv", value, null));
    } else if (value != null && value.contains(".") && value.endsWith("0")) {
      String written = new BigDecimal(value).stripTrailingZeros().toPlainString();
      known.add(new Difference(table, key, "nv", value, written));
    }
  }

  /** Format 2 stores no defaults: a row last written before the column came has null. */
  private static List<Difference> withoutDefault(ShopRun run, Form form, String table, int day) {
    List<Difference> known = new ArrayList<>();
    CapturedStream.replay(form, day, table, run.spec(table).key())
        .forEach(
            (key, row) -> {
              if (!row.has("country")) {
                known.add(new Difference(table, key, "country", "DE", null));
              }
            });
    return known;
  }
}
