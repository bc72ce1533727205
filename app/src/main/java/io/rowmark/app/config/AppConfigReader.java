package io.rowmark.app.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CapabilitySpec;
import io.rowmark.merge.spec.CatalogSpec;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.RejectSpec;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Turns a configuration into checked records; the only place that knows the settings' names. */
public final class AppConfigReader {
  private static final String SPECULATION = "spark.speculation";

  private final Function<String, SourceType> types;

  /**
   * @param types from the text of a column's declared type to the type; throws CONFIG for text that
   *     is none
   */
  public AppConfigReader(Function<String, SourceType> types) {
    this.types = types;
  }

  /**
   * @throws RowmarkException CONFIG, naming file and line, for a setting that is missing, of the
   *     wrong type or out of range, or that contradicts another
   */
  public AppConfig read(EffectiveConfig config) {
    Section root = new Section(config.file(), "", config.root());
    CapabilitySpec capabilities = CapabilitySection.read(config, root.section("catalog"));
    TableReader tables = new TableReader(types, capabilities.data());
    PipelineSpec pipeline =
        new PipelineSpec(
            root.text("pipeline"),
            catalog(root.section("catalog")),
            SourceSection.read(root.section("source")),
            tables(root.section("tables"), root.section("table-defaults"), tables),
            ledger(root.section("ledger")),
            index(root.section("index")),
            batch(root.section("batch")),
            commit(root.section("commit")),
            rejects(root.section("rejects")),
            capabilities);
    TableNames.checkTogether(pipeline, root.section("tables"));
    SourceSection.check(pipeline, root.section("source"), root.section("tables"));
    KeptSection.check(pipeline, root.section("tables"));
    return new AppConfig(
        pipeline,
        MaintainSection.read(root.section("maintain"), root.section("index")),
        new ReportSpec(root.section("report").optionalText("dir")),
        spark(root.section("spark")));
  }

  private static CatalogSpec catalog(Section section) {
    String name = section.text("name");
    if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
      throw section.error(
          "name", "is '%s', but must be letters, digits and underscores for SQL.".formatted(name));
    }
    Map<String, String> properties = section.properties("properties");
    if (!properties.containsKey("type") && !properties.containsKey("catalog-impl")) {
      throw section.error(
          "properties",
          "says no catalog. Write type = rest (or glue, hive, jdbc, hadoop, nessie), or"
              + " catalog-impl = <class>.");
    }
    if ("rest".equals(properties.get("type")) && !properties.containsKey("uri")) {
      throw section.error(
          "properties", "has type = rest without an address. Write uri = \"https://...\".");
    }
    return new CatalogSpec(name, properties);
  }

  private static List<TableSpec> tables(Section section, Section defaults, TableReader tables) {
    List<TableSpec> specs = new ArrayList<>();
    for (Map.Entry<String, ConfigValue> entry : section.entries().entrySet()) {
      Section own = section.section(entry.getKey());
      TableNames.check(own, entry.getKey());
      ConfigObject merged = own.values().withFallback(defaults.values());
      specs.add(tables.read(entry.getKey(), new Section(section.file(), own.path(), merged)));
    }
    if (specs.isEmpty()) {
      throw RowmarkException.config(
          "%s: no table is configured. Write tables { \"namespace.table\" { topic = ..., key ="
                  .formatted(section.file())
              + " [...] } }.");
    }
    return specs;
  }

  private static String ledger(Section section) {
    String table = section.text("table");
    if (!TableNames.isQualified(table)) {
      throw section.error(
          "table",
          "is '%s', but must have a namespace, as in \"shop.rowmark_ledger\".".formatted(table));
    }
    return table;
  }

  private static IndexSpec index(Section section) {
    String suffix = section.text("suffix");
    if (suffix.contains(".")) {
      throw section.error(
          "suffix",
          "is '%s', but must not hold a dot: indexes lie beside their tables.".formatted(suffix));
    }
    IndexSpec.Order order =
        section.flag("keep-order") ? IndexSpec.Order.KEPT : IndexSpec.Order.NOT_KEPT;
    return new IndexSpec(suffix, order, section.smallNumber("merge-runs", 0));
  }

  private static BatchSpec batch(Section section) {
    long maxRecords = section.number("max-records", 0);
    return new BatchSpec(
        section.smallNumber("max-files", 1),
        section.bytes("max-size"),
        maxRecords == 0 ? BatchSpec.ALL_RECORDS : maxRecords,
        section.smallNumber("driver-events", 0));
  }

  private static CommitSpec commit(Section section) {
    return new CommitSpec(
        section.choice("mode", CommitSpec.Mode.class), section.smallNumber("attempts", 1));
  }

  private static RejectSpec rejects(Section section) {
    String path = section.optionalText("path");
    long maxRecords = section.number("max-records", 0);
    if (maxRecords > 0 && path.isBlank()) {
      throw section.error(
          "max-records",
          "is %d, so records may be left out, but rejects.path is empty and they would be lost. Set"
                  .formatted(maxRecords)
              + " rejects.path.");
    }
    RejectSpec.Content content =
        section.flag("keep-raw") ? RejectSpec.Content.RAW_RECORD : RejectSpec.Content.REASON_ONLY;
    return new RejectSpec(path, maxRecords, content);
  }

  private static SparkSpec spark(Section section) {
    Map<String, String> conf = section.properties("conf");
    if (Boolean.parseBoolean(conf.get(SPECULATION))) {
      throw section.error(
          "conf",
          "sets spark.speculation = true. Two attempts of one task would write the same rows into"
              + " two files; remove it.");
    }
    return new SparkSpec(conf);
  }
}
