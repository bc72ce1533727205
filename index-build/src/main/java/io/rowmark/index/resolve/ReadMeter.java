package io.rowmark.index.resolve;

import io.rowmark.index.resolve.LookupCost.Reads;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.util.ContentFileUtil;

/** Counts what is read of one index file. */
final class ReadMeter {
  private int rowGroups;
  private long keyPages;
  private long placePages;
  private long requests;
  private long bytes;
  private long deleteFiles;
  private long deleteBytes;

  void request(int length) {
    requests++;
    bytes += length;
  }

  void rowGroup(int pages) {
    rowGroups++;
    keyPages += pages;
  }

  void placePages(int pages) {
    placePages += pages;
  }

  void delete(DeleteFile file) {
    deleteFiles++;
    Long blob = ContentFileUtil.isDV(file) ? file.contentSizeInBytes() : null;
    deleteBytes += blob != null ? blob : file.fileSizeInBytes();
  }

  LookupCost cost() {
    return new LookupCost(
        1,
        rowGroups,
        keyPages,
        placePages,
        new Reads(requests, bytes),
        new Reads(deleteFiles, deleteBytes));
  }
}
