package io.rowmark.merge.spec;

/**
 * The landing folder.
 *
 * @param format name of the envelope; this version knows {@code debezium-json}
 * @param path folder that holds one folder per topic, any file system that Hadoop or Spark knows
 * @param unavailableValue the text that stands for a value the source left out
 */
public record SourceSpec(String format, String path, String unavailableValue) {}
