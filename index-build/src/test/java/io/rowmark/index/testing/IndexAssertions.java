package io.rowmark.index.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;

/** The oracle for an index in plain SQL, written apart from the verifier. */
public final class IndexAssertions {
  private IndexAssertions() {}

  /** Every live row has exactly one entry, which names its true place; nothing else is there. */
  public static void assertExact(IndexFixture fixture) {
    String on =
        fixture.names().key().stream()
            .map(name -> "t.`%s` = i.`%s`".formatted(name, name))
            .collect(Collectors.joining(" AND "));
    assertThat(
            fixture.sql(
                ("SELECT * FROM (SELECT *, _file AS f, _pos AS p FROM $t) t FULL OUTER JOIN"
                        + " (SELECT * FROM $i WHERE data_file IS NOT NULL) i"
                        + " ON %s AND t.f = i.data_file AND t.p = i.position"
                        + " WHERE t.f IS NULL OR i.data_file IS NULL")
                    .formatted(on)))
        .isEmpty();
    assertThat(fixture.value("SELECT count(*) FROM $i WHERE data_file IS NOT NULL"))
        .isEqualTo(fixture.value("SELECT count(*) FROM $t"));
  }

  /** Data files, and delete files by kind, of the data table's current snapshot. */
  public static long deleteFiles(IndexFixture fixture) {
    return (long)
        fixture.value("SELECT count(*) FROM " + fixture.names().sparkData() + ".delete_files");
  }
}
