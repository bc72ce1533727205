package io.rowmark.formats.change;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.rowmark.formats.change.EnvelopeLayout.Tombstones;
import io.rowmark.formats.change.EnvelopeLayout.TransactionFields;
import io.rowmark.formats.change.EnvelopeLayout.Wrapping;
import io.rowmark.formats.change.OpRule.Control;
import io.rowmark.formats.change.OpRule.Meaning;
import io.rowmark.formats.change.SourceOrder.Choice;
import io.rowmark.formats.failure.RowmarkException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads an envelope from its description; {@code base.conf} documents the settings. */
final class LayoutReader {
  private static final Set<String> TEST_KEYS =
      Set.of("has", "only", "path", "is", "is-not", "matches");
  private static final Set<String> PART_KEYS = Set.of("path", "kind", "missing", "or", "match");

  private static final Set<String> CHOICE_KEYS = Set.of("when", "parts", "commit-parts");

  private LayoutReader() {}

  static EnvelopeLayout read(String name, Config settings) {
    try {
      return new EnvelopeLayout(
          name,
          new Wrapping(
              path(settings, "record.key"),
              path(settings, "record.value"),
              text(settings, "payload"),
              choice(settings, "tombstones", Tombstones.class)),
          op(settings),
          new RowImages(
              path(settings, "before"),
              path(settings, "after"),
              path(settings, "previous"),
              text(settings, "previous-prefix"),
              choice(settings, "rows", RowImages.Count.class),
              settings.getStringList("exclude"),
              settings.getStringList("leading"),
              choice(settings, "leading-in", RowImages.LeadingIn.class),
              choice(settings, "carry-overs", RowImages.CarryOvers.class)),
          new RowValues(
              choice(settings, "values", RowValues.Form.class),
              choice(settings, "absent", RowValues.Absent.class),
              text(settings, "missing-flag-suffix"),
              choice(settings, "types", RowValues.Types.class),
              path(settings, "types-path"),
              choice(settings, "zero-dates", RowValues.ZeroDates.class)),
          new SourceOrder(
              choices(settings.getList("order")),
              choice(settings, "order-scope", SourceOrder.Scope.class)),
          settings.getStringList("table").stream().map(FieldPath::of).toList(),
          new TransactionFields(
              path(settings, "transaction.id"),
              settings.getIsNull("transaction.id-match")
                  ? null
                  : pattern(settings.getValue("transaction.id-match")),
              path(settings, "transaction.number")),
          time(settings));
    } catch (ConfigException e) {
      throw RowmarkException.config("The envelope cannot be read: %s".formatted(e.getMessage()));
    }
  }

  /** Refuses settings that the base does not have. */
  static void refuseUnknown(Config own, Config base) {
    Set<String> known = new TreeSet<>(base.root().keySet());
    known.add("like");
    for (Map.Entry<String, ConfigValue> entry : own.root().entrySet()) {
      refuse(entry, known, "the envelope");
      if (base.root().get(entry.getKey()) instanceof ConfigObject inner
          && entry.getValue() instanceof ConfigObject section) {
        section
            .entrySet()
            .forEach(member -> refuse(member, inner.keySet(), "its " + entry.getKey()));
      }
    }
  }

  private static void refuse(Map.Entry<String, ConfigValue> entry, Set<String> known, String of) {
    if (!known.contains(entry.getKey())) {
      throw error(
          entry.getValue().origin(),
          "%s has no setting '%s'. Known here: %s."
              .formatted(of, entry.getKey(), String.join(", ", new TreeSet<>(known))));
    }
  }

  private static OpRule op(Config settings) {
    Map<String, Meaning> codes = new HashMap<>();
    settings
        .getObject("op.codes")
        .forEach(
            (code, meaning) -> {
              // null takes an inherited code away
              if (meaning.valueType() != ConfigValueType.NULL) {
                codes.put(code, meaning(meaning));
              }
            });
    String missing = text(settings, "op.missing");
    return new OpRule(
        path(settings, "op.path"),
        codes,
        missing == null ? null : constant(settings.getValue("op.missing"), ChangeOp.class),
        test(settings, "deleted"),
        test(settings, "snapshot"),
        controls(settings.getList("controls")));
  }

  private static Meaning meaning(ConfigValue value) {
    String text = String.valueOf(value.unwrapped());
    if (text.startsWith("skip ")) {
      return new Meaning.Skip(text.substring("skip ".length()).strip());
    } else if (text.startsWith("former ")) {
      return new Meaning.Former(text.substring("former ".length()).strip());
    }
    return new Meaning.Change(constant(value, ChangeOp.class));
  }

  private static List<Control> controls(ConfigList list) {
    List<Control> controls = new ArrayList<>();
    for (ConfigValue item : list) {
      Config control = object(item, Set.of("reason", "when"));
      controls.add(new Control(control.getString("reason"), test(control.getObject("when"))));
    }
    return controls;
  }

  private static @Nullable RecordTest test(Config settings, String key) {
    return settings.getIsNull(key) ? null : test(settings.getObject(key));
  }

  private static RecordTest test(ConfigObject description) {
    Config test = object(description, TEST_KEYS);
    if (test.hasPath("has")) {
      return new RecordTest.Has(test.getStringList("has").stream().map(FieldPath::of).toList());
    } else if (test.hasPath("only")) {
      return new RecordTest.Only(Set.copyOf(test.getStringList("only")));
    }
    FieldPath path = FieldPath.of(test.getString("path"));
    if (test.hasPath("is")) {
      return new RecordTest.Is(path, Set.copyOf(test.getStringList("is")));
    } else if (test.hasPath("is-not")) {
      return new RecordTest.IsNot(path, Set.copyOf(test.getStringList("is-not")));
    }
    return new RecordTest.Matches(path, pattern(test.getValue("matches")));
  }

  /** Choices in braces, or the parts of the only one. */
  private static List<Choice> choices(ConfigList list) {
    if (list.isEmpty()) {
      return List.of();
    }
    if (!(list.get(0) instanceof ConfigObject first) || !first.containsKey("parts")) {
      return List.of(new Choice(null, parts(list), 0));
    }
    List<Choice> choices = new ArrayList<>();
    for (ConfigValue item : list) {
      Config choice = object(item, CHOICE_KEYS);
      choices.add(
          new Choice(
              choice.hasPath("when") ? test(choice.getObject("when")) : null,
              parts(choice.getList("parts")),
              choice.hasPath("commit-parts") ? choice.getInt("commit-parts") : 0));
    }
    return choices;
  }

  private static List<OrderPart> parts(ConfigList list) {
    return list.stream().map(LayoutReader::part).toList();
  }

  /** {@code "source.file number-suffix"}, or an object with the same and more. */
  private static OrderPart part(ConfigValue value) {
    if (value instanceof ConfigObject) {
      Config part = object(value, PART_KEYS);
      return new OrderPart(
          FieldPath.of(part.getString("path")),
          part.hasPath("kind")
              ? constant(part.getValue("kind"), OrderPart.Kind.class)
              : OrderPart.Kind.NUMBER,
          part.hasPath("missing")
              ? constant(part.getValue("missing"), OrderPart.Missing.class)
              : OrderPart.Missing.FIRST,
          part.hasPath("or") ? FieldPath.of(part.getString("or")) : null,
          part.hasPath("match") ? pattern(part.getValue("match")) : null);
    }
    String[] words = String.valueOf(value.unwrapped()).strip().split("\\s+");
    OrderPart.Kind kind =
        words.length > 1
            ? constant(value.origin(), words[1], OrderPart.Kind.class)
            : OrderPart.Kind.NUMBER;
    return new OrderPart(FieldPath.of(words[0]), kind, OrderPart.Missing.FIRST, null, null);
  }

  private static Config object(ConfigValue value, Set<String> keys) {
    if (!(value instanceof ConfigObject object)) {
      throw error(value.origin(), "braces are expected here, as in { path = ... }.");
    }
    object.entrySet().forEach(entry -> refuse(entry, keys, "this part of the envelope"));
    return object.toConfig();
  }

  private static Pattern pattern(ConfigValue value) {
    try {
      return Pattern.compile(String.valueOf(value.unwrapped()));
    } catch (PatternSyntaxException e) {
      throw error(value.origin(), "this is no regular expression: " + e.getDescription() + ".");
    }
  }

  private static @Nullable EventTime time(Config settings) {
    FieldPath path = path(settings, "time.path");
    return path == null
        ? null
        : new EventTime(path, choice(settings, "time.unit", EventTime.Unit.class));
  }

  private static @Nullable FieldPath path(Config settings, String key) {
    String text = text(settings, key);
    return text == null ? null : FieldPath.of(text);
  }

  private static @Nullable String text(Config settings, String key) {
    return settings.getIsNull(key) ? null : settings.getString(key);
  }

  private static <E extends Enum<E>> E choice(Config settings, String key, Class<E> type) {
    return constant(settings.getValue(key), type);
  }

  private static <E extends Enum<E>> E constant(ConfigValue value, Class<E> type) {
    return constant(value.origin(), String.valueOf(value.unwrapped()), type);
  }

  private static <E extends Enum<E>> E constant(ConfigOrigin origin, String text, Class<E> type) {
    List<String> names = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      String name = constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
      if (name.equals(text)) {
        return constant;
      }
      names.add(name);
    }
    throw error(origin, "'%s' must be one of %s.".formatted(text, String.join(", ", names)));
  }

  private static RowmarkException error(ConfigOrigin origin, String message) {
    String place =
        origin.filename() == null
            ? origin.description()
            : origin.filename() + ":" + origin.lineNumber();
    return RowmarkException.config("%s: %s".formatted(place, message));
  }
}
