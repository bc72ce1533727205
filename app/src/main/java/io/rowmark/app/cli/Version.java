package io.rowmark.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.apache.iceberg.IcebergBuild;
import picocli.CommandLine.IVersionProvider;

/** The versions that matter in a fault report. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {
      "rowmark " + own(),
      "Iceberg " + IcebergBuild.version(),
      "Spark " + org.apache.spark.package$.MODULE$.SPARK_VERSION(),
      "Java " + Runtime.version()
    };
  }

  private static String own() throws IOException {
    Properties properties = new Properties();
    try (InputStream stream = Version.class.getResourceAsStream("/rowmark-version.properties")) {
      if (stream != null) {
        properties.load(stream);
      }
    }
    return properties.getProperty("version", "(unknown version)");
  }
}
