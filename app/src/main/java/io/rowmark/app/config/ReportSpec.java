package io.rowmark.app.config;

/**
 * Where the reports of runs go.
 *
 * @param dir folder, local or of any file system that Hadoop knows; empty text for none
 */
public record ReportSpec(String dir) {}
