package io.rowmark.app.cli;

import io.rowmark.merge.spec.Since;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an instant or the id of a batch. */
final class SinceConverter implements ITypeConverter<Since> {
  @Override
  public Since convert(String text) {
    if (text.matches("[0-9a-f]{16}")) {
      return new Since.Batch(text);
    }
    try {
      return new Since.Time(new InstantConverter().convert(text));
    } catch (TypeConversionException e) {
      throw new TypeConversionException(e.getMessage() + ", and not the id of a batch");
    }
  }
}
