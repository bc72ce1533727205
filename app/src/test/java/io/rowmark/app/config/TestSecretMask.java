package io.rowmark.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestSecretMask {
  private static final String WITH_SECRETS =
      ConfigFixture.MINIMAL
          + """
          catalog.properties {
            credential = "id:hunter1", token = hunter2, jdbc.password = hunter3
            s3 { access-key-id = hunter4, secret-access-key = hunter5 }
            adls.auth.shared-key.account.key = hunter6, header.Authorization = hunter7
            uri = "jdbc:postgresql://user:hunter8@host/db?password=hunter9&ssl=true"
          }
          spark.conf.spark.hadoop.fs.s3a.access.key = hunter10
          spark.conf.spark.hadoop.fs.azure.sas.fixed.token = hunter11
          table-defaults.properties.encryption-token = hunter12
          tables."shop.token_uses" { topic = tokens, key = [id] }
          source.path = "s3a://key:hunter13@bucket"
          """;

  private ConfigFixture config;

  @BeforeEach
  void writeTo(@TempDir Path dir) {
    config = new ConfigFixture(dir);
  }

  @Test
  void shownConfigurationHidesSecretsAndNothingElse() {
    String shown = ConfigText.render(config.load(WITH_SECRETS), ConfigText.Origins.SHOWN);

    assertThat(shown)
        .doesNotContain("hunter")
        .contains("******")
        .contains("jdbc:postgresql://******@host/db?password=******&ssl=true")
        .contains("topic=tokens")
        .contains(config.file() + ": 1");
  }

  @Test
  void recordsDoNotPrintSecrets() {
    AppConfig read = config.read(WITH_SECRETS);

    assertThat(read + " " + read.spark() + " " + read.pipeline().catalog())
        .doesNotContain("hunter");
    assertThat(read.pipeline().catalog().properties()).containsEntry("s3.access-key-id", "hunter4");
  }

  @Test
  void brokenLineWithASecretIsNotQuoted() {
    assertThatThrownBy(() -> config.load("catalog.properties.password = a:hunter\n"))
        .hasMessageContaining(":1: this line is not valid HOCON; it is not shown")
        .hasMessageNotContaining("hunter");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "jdbc.password",
        "client_secret",
        "token",
        "credential",
        "s3.access-key-id",
        "s3.secret-access-key",
        "fs.s3a.access.key",
        "fs.azure.account.key.x",
        "adls.sas-token.x",
        "header.Authorization"
      })
  void isSecret(String key) {
    assertThat(SecretMask.isSecret(key)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"uri", "warehouse", "type", "s3.endpoint", "io-impl", "client.region"})
  void isNoSecret(String key) {
    assertThat(SecretMask.isSecret(key)).isFalse();
  }
}
