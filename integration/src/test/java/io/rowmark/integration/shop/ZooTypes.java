package io.rowmark.integration.shop;

import java.util.LinkedHashMap;
import java.util.Map;

/** The Iceberg types that the columns of type_zoo get, as docs/types.md says. */
final class ZooTypes {
  /** What a user writes whose events carry schemas, and decimals as text. */
  static final String CONFIGURATION =
      """
      pipeline = zoo
      catalog { name = zoo, properties { type = rest, uri = "http://127.0.0.1" } }
      source.path = /landing
      ledger.table = "shop.rowmark_ledger"
      table-defaults.readers = [spark]
      tables {
        "shop.customers" { topic = shop.public.customers, key = [id] }
        "shop.type_zoo" {
          topic = shop.public.type_zoo
          key = [id]
          columns {
            n = "decimal-text(20,5)", n0 = "decimal-text(38,0)", mon = "decimal-text(19,2)"
          }
        }
      }
      """;

  /** With the declarations of conf/quickstart.conf. */
  static final Map<String, String> DAY_1 = declared();

  /** From the events' own schemas, after day 2. */
  static final Map<String, String> WITH_SCHEMAS = afterExtra(DAY_1);

  private ZooTypes() {}

  static Map<String, String> afterExtra(Map<String, String> before) {
    Map<String, String> types = new LinkedHashMap<>(before);
    types.put("extra", "string");
    return types;
  }

  private static Map<String, String> declared() {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("id", "long");
    types.put("b", "boolean");
    types.put("i2", "int");
    types.put("i4", "int");
    types.put("i8", "long");
    types.put("f4", "float");
    types.put("f8", "double");
    types.put("n", "decimal(20, 5)");
    types.put("n0", "decimal(38, 0)");
    types.put("nv", "string");
    types.put("c", "string");
    types.put("v", "string");
    types.put("t", "string");
    types.put("by", "binary");
    types.put("d", "date");
    types.put("ti", "string");
    types.put("ts", "timestamp");
    types.put("tsms", "timestamp");
    types.put("tstz", "timestamptz");
    types.put("iv", "long");
    types.put("u", "string");
    types.put("j", "string");
    types.put("jb", "string");
    types.put("m", "string");
    types.put("ai", "list<int>");
    types.put("at", "list<string>");
    types.put("bits", "binary");
    types.put("mon", "decimal(19, 2)");
    types.put("inet", "string");
    types.put("Order", "string");
    types.put("mixedCase", "string");
    return types;
  }
}
