package io.rowmark.app.embedded;

import java.util.Locale;
import java.util.UUID;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.RetryableValidationException;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/**
 * One table of a multi-table commit: the metadata that its requirements were checked against, and
 * the metadata to put in its place.
 *
 * @param newLocation where the new metadata is to be written; the base's own location when the
 *     request changes nothing in this table and only requires something of it
 */
record StagedTable(
    TableIdentifier table,
    TableOperations operations,
    TableMetadata base,
    TableMetadata updated,
    String newLocation) {

  /**
   * Loads the table and applies the change to it; writes nothing.
   *
   * @throws NoSuchTableException when there is no such table
   * @throws CommitFailedException when a requirement does not hold
   * @throws BadRequestException when the change would create a table
   */
  static StagedTable stage(Catalog catalog, UpdateTableRequest change) {
    TableIdentifier table = change.identifier();
    if (change.requirements().stream()
        .anyMatch(UpdateRequirement.AssertTableDoesNotExist.class::isInstance)) {
      throw new BadRequestException(
          "Table %s cannot be created in a multi-table commit; create it empty beforehand", table);
    }
    if (!(catalog.loadTable(table) instanceof BaseTable loaded)) {
      // "db.table.snapshots" and the like: metadata tables take no commits
      throw new NoSuchTableException("Table does not exist: %s", table);
    }
    TableOperations operations = loaded.operations();
    TableMetadata base = operations.current();
    change.requirements().forEach(requirement -> requirement.validate(base));
    TableMetadata updated = apply(change, base);
    String location =
        updated.changes().isEmpty()
            ? base.metadataFileLocation()
            : operations.temp(updated).metadataFileLocation(fileName(base, updated));
    return new StagedTable(table, operations, base, updated, location);
  }

  boolean changed() {
    return !newLocation.equals(base.metadataFileLocation());
  }

  void writeMetadata() {
    if (changed()) {
      TableMetadataParser.overwrite(updated, operations.io().newOutputFile(newLocation));
    }
  }

  /** Removes the new metadata file. Only for a commit that certainly did not happen. */
  void discardMetadata() {
    if (changed()) {
      operations.io().deleteFile(newLocation);
    }
  }

  /** Does what the table's properties ask for old metadata files. Only after a commit. */
  void expireMetadata() {
    CatalogUtil.deleteRemovedMetadataFiles(operations.io(), base, updated);
  }

  private static TableMetadata apply(UpdateTableRequest change, TableMetadata base) {
    TableMetadata.Builder builder = TableMetadata.buildFrom(base);
    try {
      change.updates().forEach(update -> update.applyTo(builder));
      return builder.build();
    } catch (RetryableValidationException e) {
      // Sequence number or first row id from an older base: stale, not wrong.
      throw new CommitFailedException(
          e, "Table %s has changed: %s", change.identifier(), e.getMessage());
    }
  }

  /** As Iceberg names metadata files: the version, which tools read, and a unique part. */
  private static String fileName(TableMetadata base, TableMetadata updated) {
    String codec =
        updated.property(
            TableProperties.METADATA_COMPRESSION, TableProperties.METADATA_COMPRESSION_DEFAULT);
    return String.format(
        Locale.ROOT,
        "%05d-%s%s",
        version(base.metadataFileLocation()) + 1,
        UUID.randomUUID(),
        TableMetadataParser.getFileExtension(codec));
  }

  /** The version in the file's name; -1 for a file that no catalog named. */
  private static int version(String location) {
    String digits = location.substring(location.lastIndexOf('/') + 1).replaceFirst("-.*", "");
    return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : -1;
  }
}
