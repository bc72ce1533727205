package io.rowmark.integration.readers;

import static io.rowmark.integration.readers.DeleteKind.DELETION_VECTOR;
import static io.rowmark.integration.readers.DeleteKind.EQUALITY_GLOBAL;
import static io.rowmark.integration.readers.DeleteKind.EQUALITY_IN_PARTITION;
import static io.rowmark.integration.readers.DeleteKind.POSITION_OF_ONE_FILE;
import static io.rowmark.integration.readers.DeleteKind.POSITION_SPANNING_FILES;

import java.util.Set;

/** The shapes in which a table can hold deleted rows. */
enum Variant {
  V2_EQUALITY(2, Set.of(EQUALITY_GLOBAL)),
  /** Partitioned by region, and the deletes apply to all regions. */
  V2_EQUALITY_ACROSS_PARTITIONS(2, Set.of(EQUALITY_GLOBAL)),
  V2_EQUALITY_IN_PARTITION(2, Set.of(EQUALITY_IN_PARTITION)),
  V2_POSITION(2, Set.of(POSITION_OF_ONE_FILE)),
  V2_POSITION_SPANNING(2, Set.of(POSITION_SPANNING_FILES)),
  /** No deletes: tells a reader of version 3 from a reader of deletion vectors. */
  V3_PLAIN(3, Set.of()),
  V3_EQUALITY(3, Set.of(EQUALITY_GLOBAL)),
  V3_DELETION_VECTOR(3, Set.of(DELETION_VECTOR)),
  /** Upgraded from version 2: some data files keep old position deletes, others have vectors. */
  V3_POSITION_AND_VECTOR(3, Set.of(POSITION_SPANNING_FILES, DELETION_VECTOR));

  private final int formatVersion;
  private final Set<DeleteKind> kinds;

  Variant(int formatVersion, Set<DeleteKind> kinds) {
    this.formatVersion = formatVersion;
    this.kinds = kinds;
  }

  /** Once the table is made. */
  int formatVersion() {
    return formatVersion;
  }

  /** The kinds of delete files in the table, all of them and no other. */
  Set<DeleteKind> kinds() {
    return kinds;
  }
}
