package io.rowmark.app.cli;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes as configurations write them: {@code 512 MiB}. */
final class SizeConverter implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    try {
      long bytes = ConfigValueFactory.fromAnyRef(text).atKey("size").getBytes("size");
      if (bytes >= 1) {
        return bytes;
      }
    } catch (ConfigException e) {
      // told below, in the same words as a size of nothing
    }
    throw new TypeConversionException(
        "'%s' is no size. Write a number of bytes, as in 512 MiB.".formatted(text));
  }
}
