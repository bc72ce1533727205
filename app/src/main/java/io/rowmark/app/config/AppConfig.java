package io.rowmark.app.config;

import io.rowmark.merge.maintain.MaintainSpec;
import io.rowmark.merge.spec.PipelineSpec;

/**
 * Everything a command needs to know, read and checked.
 *
 * @param pipeline what is fed from where
 * @param maintain how its tables are maintained
 * @param report where reports go
 * @param spark settings of a session that Rowmark starts
 */
public record AppConfig(
    PipelineSpec pipeline, MaintainSpec maintain, ReportSpec report, SparkSpec spark) {

  /** The same configuration with another report folder. */
  public AppConfig withReport(ReportSpec other) {
    return new AppConfig(pipeline, maintain, other, spark);
  }

  /** Names the pipeline only: the records below hold secrets. */
  @Override
  public String toString() {
    return "AppConfig[pipeline=" + pipeline.name() + "]";
  }
}
