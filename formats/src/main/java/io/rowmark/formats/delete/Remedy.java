package io.rowmark.formats.delete;

import io.rowmark.formats.capability.DeclaredReader;
import io.rowmark.formats.capability.EngineVersion;
import io.rowmark.formats.capability.ReaderCapability;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Changes after which a format fits.
 *
 * @param steps all to be taken
 * @param format the cheapest that fits then
 */
public record Remedy(List<Step> steps, DeleteFormat format, int formatVersion) {
  public Remedy {
    steps = List.copyOf(steps);
  }

  /** For a message. */
  public String text() {
    return "%s: then %s on format version %d fits"
        .formatted(
            steps.stream().map(Step::text).collect(Collectors.joining(", and ")),
            format.text(),
            formatVersion);
  }

  /** One change of what was asked. */
  public sealed interface Step {
    /** For a message. */
    String text();

    /** The request with this change. */
    DeleteRequest applyTo(DeleteRequest request);
  }

  /**
   * @param release of that version; it may not be generally available yet
   */
  public record RaiseReader(
      DeclaredReader reader, EngineVersion version, ReaderCapability.Release release)
      implements Step {
    @Override
    public String text() {
      return "use %s %s or newer%s and declare it as \"%s %s\""
          .formatted(
              reader.engine(),
              version.text(),
              release == ReaderCapability.Release.GA ? "" : " (not generally available)",
              reader.engine(),
              version.text());
    }

    @Override
    public DeleteRequest applyTo(DeleteRequest request) {
      DeclaredReader raised = new DeclaredReader(reader.engine(), version);
      return request.with(
          new Audience(
              request.audience().readers().stream()
                  .map(declared -> declared.equals(reader) ? raised : declared)
                  .toList(),
              request.audience().allowed()));
    }
  }

  public record DropReader(DeclaredReader reader) implements Step {
    @Override
    public String text() {
      return "take %s off the readers".formatted(reader.text());
    }

    @Override
    public DeleteRequest applyTo(DeleteRequest request) {
      return request.with(
          new Audience(
              request.audience().readers().stream()
                  .filter(declared -> !declared.equals(reader))
                  .toList(),
              request.audience().allowed()));
    }
  }

  /**
   * @param condition as {@code product/condition}
   * @param meaning what the user takes on with it
   */
  public record AllowCondition(String condition, String meaning) implements Step {
    @Override
    public String text() {
      return "allow \"%s\" (%s)".formatted(condition, meaning);
    }

    @Override
    public DeleteRequest applyTo(DeleteRequest request) {
      SortedSet<String> allowed = new TreeSet<>(request.audience().allowed());
      allowed.add(condition);
      return request.with(new Audience(request.audience().readers(), allowed));
    }
  }

  public record AllowUpgrade() implements Step {
    @Override
    public String text() {
      return "set allow-format-upgrade = true, which has no way back";
    }

    @Override
    public DeleteRequest applyTo(DeleteRequest request) {
      Wishes wishes = request.wishes();
      return request.with(new Wishes(wishes.deletes(), wishes.version(), Wishes.Upgrade.ALLOWED));
    }
  }

  public record FreeDeletes() implements Step {
    @Override
    public String text() {
      return "set delete-format = auto";
    }

    @Override
    public DeleteRequest applyTo(DeleteRequest request) {
      Wishes wishes = request.wishes();
      return request.with(new Wishes(WantedDeletes.AUTO, wishes.version(), wishes.upgrade()));
    }
  }

  public record FreeVersion() implements Step {
    @Override
    public String text() {
      return "set format-version = auto";
    }

    @Override
    public DeleteRequest applyTo(DeleteRequest request) {
      Wishes wishes = request.wishes();
      return request.with(
          new Wishes(wishes.deletes(), Wishes.WantedVersion.AUTO, wishes.upgrade()));
    }
  }

  /** Another catalog would have to be used; which one is the user's choice. */
  public record ChangeCatalog(String name) implements Step {
    @Override
    public String text() {
      return "use another catalog than %s".formatted(name);
    }

    @Override
    public DeleteRequest applyTo(DeleteRequest request) {
      return request.withoutCatalog();
    }
  }
}
