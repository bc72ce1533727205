package io.rowmark.app.config;

import com.typesafe.config.ConfigObject;
import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.Fraction;
import io.rowmark.merge.spec.RecordSpec;
import io.rowmark.merge.spec.RecordSpec.Csv;
import io.rowmark.merge.spec.RecordSpec.Format;
import io.rowmark.merge.spec.RecordSpec.Frames;
import io.rowmark.merge.spec.RecordSpec.Header;
import io.rowmark.merge.spec.SourceSpec;
import org.jspecify.annotations.Nullable;

/** Reads the settings of the source. */
final class SourceSection {
  /** The name of a format and an envelope together, from before there were others. */
  private static final String DEBEZIUM_JSON = "debezium-json";

  private static final String ENVELOPE = "envelope";

  private SourceSection() {}

  static SourceSpec read(Section section) {
    Format format =
        section.text("format").equals(DEBEZIUM_JSON)
            ? Format.JSON
            : section.choice("format", Format.class);
    return new SourceSpec(
        new RecordSpec(format, csv(section.section("csv")), frames(section.section("confluent"))),
        envelope(section),
        section.text("path"),
        section.text("unavailable-value"),
        section.choice("finer-fractions", Fraction.class));
  }

  private static EnvelopeLayout envelope(Section section) {
    try {
      return section.values().get(ENVELOPE) instanceof ConfigObject description
          ? EnvelopeLayouts.described(description)
          : EnvelopeLayouts.named(section.text(ENVELOPE));
    } catch (RowmarkException e) {
      throw section.error(ENVELOPE, "cannot be: " + e.getMessage());
    }
  }

  private static Csv csv(Section section) {
    return new Csv(
        section.flag("header") ? Header.FIRST_LINE : Header.NONE,
        character(section, "delimiter"),
        character(section, "quote"),
        section.optionalText("null-value"));
  }

  private static char character(Section section, String key) {
    String text = section.optionalText(key);
    if (text.length() != 1) {
      throw section.error(key, "is '%s', but must be one character.".formatted(text));
    }
    return text.charAt(0);
  }

  private static @Nullable Frames frames(Section section) {
    String field = section.textOrNull("field");
    String schemas = section.textOrNull("schemas");
    if (field == null && schemas == null) {
      return null;
    }
    if (field == null || schemas == null) {
      throw section.error(
          field == null ? "field" : "schemas",
          "is missing. Framed Avro needs both: the field that holds it, and the folder of its"
              + " schemas.");
    }
    return new Frames(FieldPath.of(field), schemas);
  }
}
