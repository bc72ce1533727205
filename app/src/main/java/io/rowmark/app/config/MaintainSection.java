package io.rowmark.app.config;

import io.rowmark.merge.maintain.MaintainSpec;

/** Reads how tables are maintained. */
final class MaintainSection {
  private MaintainSection() {}

  static MaintainSpec read(Section maintain, Section index) {
    Section expire = maintain.section("expire");
    return new MaintainSpec(
        maintain.smallNumber("small-files", 2),
        share(maintain, "dead-share"),
        maintain.smallNumber("index-depth", 1),
        index.duration("tombstone-retention"),
        expire.duration("older-than"),
        expire.smallNumber("retain-last", 1),
        maintain.section("orphans").duration("older-than"));
  }

  private static double share(Section section, String key) {
    String text = section.text(key);
    try {
      double share = Double.parseDouble(text);
      if (share > 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // told below, in the same words as a share that is out of range
    }
    throw section.error(key, "is '%s', but must be above 0 and up to 1.".formatted(text));
  }
}
