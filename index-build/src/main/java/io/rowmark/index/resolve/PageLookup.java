package io.rowmark.index.resolve;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeyBounds;
import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.key.KeyRange;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.formats.position.LiveFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.util.PropertyUtil;
import org.jspecify.annotations.Nullable;

/**
 * Finds the entries of sorted keys in the files of an index, reading only what can hold them: files
 * by the bounds in the manifests, row groups by the footer, pages by Parquet's column index; and
 * the places only of entries whose key is wanted. It needs no Spark job: a small batch is looked up
 * on the driver, a large one in tasks that take a range of keys or some files each. To be made anew
 * in each task.
 *
 * <p>Text is ordered by unsigned UTF-8 bytes and uuid by unsigned bytes, as Parquet does; Iceberg
 * 1.12 itself compares uuid bounds with sign (apache/iceberg#14216).
 */
public final class PageLookup {
  private final FileIO io;
  private final Schema schema;
  private final KeySpec key;
  private final ReadRanges ranges;
  private final int rowsPerPage;

  private PageLookup(FileIO io, Table index, KeySpec key, ReadRanges ranges) {
    this.io = io;
    this.schema = index.schema();
    this.key = key;
    this.ranges = ranges;
    this.rowsPerPage =
        PropertyUtil.propertyAsInt(
            index.properties(),
            TableProperties.PARQUET_PAGE_ROW_LIMIT,
            TableProperties.PARQUET_PAGE_ROW_LIMIT_DEFAULT);
  }

  /**
   * @param index with the columns of {@link io.rowmark.formats.index.IndexLayout}
   * @param key with the types that the wanted keys have; files may store narrower ones
   */
  public static PageLookup of(Table index, KeySpec key, ReadRanges ranges) {
    return new PageLookup(index.io(), index, key, ranges);
  }

  /**
   * The columns whose statistics files should come with, see {@link
   * io.rowmark.formats.position.LiveFiles#withBounds}. Without them every file is opened.
   */
  public static Set<Integer> boundedColumns(Table index, KeySpec key) {
    return index.schema().columns().subList(0, key.columns().size()).stream()
        .map(field -> field.fieldId())
        .collect(Collectors.toSet());
  }

  /** Whether a file can be looked into at all: Parquet and not encrypted. */
  public static boolean canRead(LiveFile file) {
    return file.file().format() == FileFormat.PARQUET && file.file().keyMetadata() == null;
  }

  /**
   * Finds the live entries of the keys.
   *
   * @param files of one index snapshot, all or those of interest
   * @param executor runs one piece of work per file; {@code Runnable::run} for one after the other
   * @throws RowmarkException TABLE_STATE when a file is not as Rowmark and Iceberg's maintenance
   *     write it, INTERNAL when one cannot be read
   */
  public LookupResult find(Collection<LiveFile> files, SortedKeys keys, Executor executor) {
    List<CompletableFuture<LookupResult>> parts = new ArrayList<>();
    for (LiveFile file : files) {
      check(file);
      KeyRange range = keys.within(keys.all(), bounds(file));
      if (!range.isEmpty()) {
        parts.add(CompletableFuture.supplyAsync(() -> find(file, keys, range), executor));
      }
    }
    List<IndexHit> hits = new ArrayList<>();
    LookupCost cost = LookupCost.NONE;
    for (CompletableFuture<LookupResult> part : parts) {
      LookupResult found = join(part);
      hits.addAll(found.hits());
      cost = cost.plus(found.cost());
    }
    hits.sort(Comparator.comparingInt(IndexHit::key));
    return new LookupResult(hits, cost);
  }

  /** What {@link #find} is going to read, by the manifests alone. */
  public LookupEstimate estimate(Collection<LiveFile> files, SortedKeys keys) {
    LookupEstimate estimate = LookupEstimate.NONE;
    for (LiveFile file : files) {
      KeyBounds bounds = bounds(file);
      KeyRange range = keys.within(keys.all(), bounds);
      estimate =
          estimate.plus(LookupEstimate.of(file.file(), keys, range, bounds, ranges, rowsPerPage));
    }
    return estimate;
  }

  private static void check(LiveFile file) {
    if (!canRead(file)) {
      throw RowmarkException.tableState(
          "Index file '%s' is not plain Parquet, so its pages cannot be looked up. Run 'rowmark index build'."
              .formatted(file.path()));
    }
    if (file.hasEqualityDeletes()) {
      throw RowmarkException.tableState(
          "Index file '%s' has equality deletes, which Rowmark never writes to an index. Run 'rowmark index build'."
              .formatted(file.path()));
    }
  }

  private KeyBounds bounds(LiveFile file) {
    return new KeyBounds() {
      @Override
      public @Nullable Object lower(int column) {
        return bound(file.file(), file.file().lowerBounds(), column);
      }

      @Override
      public @Nullable Object upper(int column) {
        return bound(file.file(), file.file().upperBounds(), column);
      }
    };
  }

  private @Nullable Object bound(
      DataFile file, @Nullable Map<Integer, ByteBuffer> bounds, int column) {
    Type type = key.columns().get(column).type();
    ByteBuffer bound = bounds == null ? null : bounds.get(schema.columns().get(column).fieldId());
    if (bound == null || (type.typeId() == Type.TypeID.UUID && !hasOneRowGroup(file))) {
      return null;
    }
    return KeyForm.bound(type, bound);
  }

  /**
   * Iceberg 1.12 puts the bounds of a file's row groups together by its signed order of uuid, so
   * that of several row groups neither bound need be the file's.
   */
  private static boolean hasOneRowGroup(DataFile file) {
    List<Long> starts = file.splitOffsets();
    return starts != null && starts.size() == 1;
  }

  private LookupResult find(LiveFile live, SortedKeys keys, KeyRange range) {
    ReadMeter meter = new ReadMeter();
    try (IndexFile file = open(live, meter)) {
      List<IndexHit> hits = new FileLookup(file, live, keys, io, meter).find(range);
      return new LookupResult(hits, meter.cost());
    } catch (IOException | RuntimeException e) {
      if (e instanceof RowmarkException known) {
        throw known;
      }
      throw RowmarkException.internal(
          "Cannot read the index file '%s': %s".formatted(live.path(), e.getMessage()), e);
    }
  }

  private IndexFile open(LiveFile live, ReadMeter meter) throws IOException {
    InputFile input = io.newInputFile(live.path(), live.file().fileSizeInBytes());
    return IndexFile.open(input, schema, key, ranges, meter);
  }

  private static LookupResult join(CompletableFuture<LookupResult> part) {
    try {
      return part.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RowmarkException known) {
        throw known;
      }
      throw e;
    }
  }
}
