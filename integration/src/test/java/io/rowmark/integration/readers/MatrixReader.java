package io.rowmark.integration.readers;

import io.rowmark.index.testing.LocalSpark;
import io.rowmark.integration.engine.Answer;
import io.rowmark.integration.engine.PythonEngine;
import io.rowmark.integration.engine.PythonEngine.Source;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** An engine that can be run here. */
sealed interface MatrixReader {
  /** As tests name it. */
  String name();

  /** Reads each table once, all in one run of the engine. */
  Map<Variant, Answer> read(Map<Variant, Table> tables, Path folder);

  /** In this virtual machine. */
  record Spark() implements MatrixReader {
    @Override
    public String name() {
      return "spark";
    }

    @Override
    public Map<Variant, Answer> read(Map<Variant, Table> tables, Path folder) {
      Map<Variant, Answer> answers = new EnumMap<>(Variant.class);
      tables.forEach((variant, table) -> answers.put(variant, read(table)));
      return answers;
    }

    private static Answer read(Table table) {
      SparkSession spark = LocalSpark.session();
      List<Map<String, Object>> rows = new ArrayList<>();
      try {
        for (Row row : spark.table(table.name()).collectAsList()) {
          Map<String, Object> values = new HashMap<>();
          for (String column : row.schema().fieldNames()) {
            values.put(column, row.get(row.fieldIndex(column)));
          }
          rows.add(values);
        }
        return new Answer.Rows(spark.version(), rows);
      } catch (RuntimeException e) {
        return new Answer.Failed(spark.version(), e.toString());
      }
    }
  }

  /** In a process of its own, by the tables' metadata files. */
  record Python(String name, PythonEngine engine) implements MatrixReader {
    @Override
    public Map<Variant, Answer> read(Map<Variant, Table> tables, Path folder) {
      Map<String, Source> sources = new LinkedHashMap<>();
      tables.forEach((variant, table) -> sources.put(variant.name(), Source.of(table)));
      Map<Variant, Answer> answers = new EnumMap<>(Variant.class);
      engine
          .read(sources, folder)
          .forEach((variant, answer) -> answers.put(Variant.valueOf(variant), answer));
      return answers;
    }
  }
}
