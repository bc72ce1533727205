package io.rowmark.index.resolve;

import io.rowmark.formats.key.KeyRange;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.resolve.IndexFile.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.FileIO;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.jspecify.annotations.Nullable;

/**
 * Looks keys up in one open index file: row groups by statistics, pages by column index, rows by
 * merging; then hidden rows are left out; then the places of the rest are read.
 */
final class FileLookup {
  private final IndexFile file;
  private final LiveFile live;
  private final SortedKeys keys;
  private final FileIO io;
  private final ReadMeter meter;
  private @Nullable PositionDeleteIndex deleted;

  FileLookup(IndexFile file, LiveFile live, SortedKeys keys, FileIO io, ReadMeter meter) {
    this.file = file;
    this.live = live;
    this.keys = keys;
    this.io = io;
    this.meter = meter;
  }

  /** A row group that can hold keys. */
  private record Group(int number, BlockMetaData block, long firstRow, KeyRange range) {}

  List<IndexHit> find(KeyRange range) throws IOException {
    List<Group> groups = groups(range);
    file.loadKeyIndexes(groups.stream().map(Group::block).toList());
    PlaceReader places = new PlaceReader(file, meter);
    List<IndexHit> hits = new ArrayList<>();
    for (Group group : groups) {
      RowMatches matches = matches(group);
      if (matches.size() > 0) {
        places.read(group.number(), group.firstRow(), matches, hits);
      }
    }
    return hits;
  }

  private List<Group> groups(KeyRange range) {
    List<Group> groups = new ArrayList<>();
    long firstRow = 0;
    for (int i = 0; i < file.rowGroups().size(); i++) {
      BlockMetaData block = file.rowGroups().get(i);
      KeyRange inGroup = keys.within(range, CandidatePages.bounds(block, file.columns()));
      if (!inGroup.isEmpty() && block.getRowCount() > 0) {
        groups.add(new Group(i, block, firstRow, inGroup));
      }
      firstRow += block.getRowCount();
    }
    return groups;
  }

  private RowMatches matches(Group group) throws IOException {
    RowMatches matches = new RowMatches();
    CandidatePages pages = CandidatePages.of(file, group.block(), keys, group.range());
    if (pages.rows() != null && pages.pages() == 0) {
      return matches;
    }
    meter.rowGroup(pages.pages());
    List<ColumnDescriptor> columns = file.columns().keyDescriptors();
    RowCursor rows = file.read(Part.KEYS, group.number(), columns, pages.rows());
    new KeyMerge(keys, group.range(), rows, file.columns().keys())
        .run(
            (row, key) -> {
              if (!isDeleted(group.firstRow() + row)) {
                matches.add(row, key);
              }
            });
    return matches;
  }

  /** The deletes are read only once a wanted key is found. */
  private boolean isDeleted(long position) {
    PositionDeleteIndex known = deleted;
    if (known == null) {
      List<DeleteFile> files = live.positionalDeletes();
      files.forEach(meter::delete);
      known =
          files.isEmpty()
              ? PositionDeleteIndex.empty()
              : new BaseDeleteLoader(io::newInputFile).loadPositionDeletes(files, live.path());
      deleted = known;
    }
    return known.isDeleted(position);
  }
}
