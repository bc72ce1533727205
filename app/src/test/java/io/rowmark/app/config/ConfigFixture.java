package io.rowmark.app.config;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Configurations for tests, written to a real file so that messages can name its lines. */
final class ConfigFixture {
  /** The least that a configuration must say. Lines are counted by tests: append only. */
  static final String MINIMAL =
      """
      pipeline = shop
      catalog.properties { type = hadoop, warehouse = "/warehouse" }, table-defaults.readers = [spark]
      source.path = "/landing"
      ledger.table = "shop.ledger"
      tables { "shop.customers" { topic = customers, key = [id] } }
      """;

  private final Path file;

  ConfigFixture(Path dir) {
    this.file = dir.resolve("test.conf");
  }

  /** The path as messages show it. */
  String file() {
    return file.toString();
  }

  EffectiveConfig load(String text, String... overrides) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return EffectiveConfig.load(file, List.of(overrides));
  }

  AppConfig read(String text, String... overrides) {
    return new AppConfigReader(ConfigFixture::type).read(load(text, overrides));
  }

  /** Two types are enough to see that declarations reach the parser and its answer the record. */
  private static SourceType type(String text) {
    return switch (text) {
      case "int" -> SourceType.Plain.INT;
      case "list<int>" -> new SourceType.ListOf(SourceType.Plain.INT);
      default -> throw RowmarkException.config("'%s' is not a type.".formatted(text));
    };
  }
}
